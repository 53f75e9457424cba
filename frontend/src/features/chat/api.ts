import {
  ChatRoom,
  MAX_MESSAGES,
  MessagePage,
  Mute,
  ReportedMessages,
  type ChatRoomBody,
  type MuteBody,
  type ReportMessageBody,
} from '@beltway/contracts/realtime/chat';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { chatGuestKey } from '../../lib/realtime/chat-guest.ts';
import { del, get, patch, post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

/** The name of a room: `region` or an event's number, as in paths and socket messages. */
export type RoomName = string;

const path = (room: RoomName, ...below: (string | number)[]) => ['/api/chat', room, ...below].join('/');

/** GET /api/chat/{room} */
export const getRoom = (room: RoomName) => get(path(room), ChatRoom);
export const changeRoom = (room: RoomName, body: ChatRoomBody) => patch(path(room), body, ChatRoom);

/** GET /api/chat/{room}/messages */
export const lastMessages = (room: RoomName) => get(path(room, 'messages'), MessagePage);
export const messagesAfter = (room: RoomName, seq: number) =>
  get(`${path(room, 'messages')}?after=${seq}&limit=${MAX_MESSAGES}`, MessagePage);
export const messagesBefore = (room: RoomName, seq: number, limit?: number) =>
  get(`${path(room, 'messages')}?before=${seq}${limit === undefined ? '' : `&limit=${limit}`}`, MessagePage);

/** Allowed for the author and moderators. */
export const removeMessage = (room: RoomName, seq: number) =>
  del(path(room, 'messages', seq), undefined, { headers: chatGuestKey.header() });
export const reportMessage = (room: RoomName, seq: number, body: z.input<typeof ReportMessageBody>) =>
  post(path(room, 'messages', seq, 'report'), body);

/** Settles the reports on a message and keeps the message. */
export const settleReports = (room: RoomName, seq: number) => del(path(room, 'messages', seq, 'reports'));

/** GET /api/chat/reported, paged: reports in all rooms that this account moderates. */
export const reportedQuery = () =>
  infiniteQueryOptions({
    queryKey: ['/api/chat/reported'] as const,
    queryFn: ({ pageParam, signal }): Promise<ReportedMessages> =>
      get(`/api/chat/reported${pageParam && `?before=${encodeURIComponent(pageParam)}`}`, ReportedMessages, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextBefore }) => nextBefore,
    staleTime: 0,
  });

/** GET /api/chat/{room}/mutes */
export const mutesQuery = (room: RoomName) => ({
  ...apiQuery(z.array(Mute), '/api/chat', room, 'mutes'),
  staleTime: 0,
});
export const mute = (room: RoomName, body: z.input<typeof MuteBody>) => post(path(room, 'mutes'), body);
export const unmute = (room: RoomName, id: string) => del(path(room, 'mutes', encodeURIComponent(id)));
