import { Router, type Request } from 'express';
import { z } from 'zod';
import {
  ChatRoomBody,
  MessagesQuery,
  MuteBody,
  PostMessageBody,
  Reaction,
  ReportedMessagesQuery,
  ReportMessageBody,
  RoomId,
  type ChatMessage,
  type ChatRoom,
  type MessagePage,
  type Mute,
  type Reacted,
  type ReportedMessages,
} from '@beltway/contracts/realtime/chat';
import { IdText } from '@beltway/contracts/common/basics';
import type { Pool } from 'pg';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { HttpProblem, notFound, rejection, type Named } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { reportContent, type ModeratedDeps } from '@beltway/kit/service/moderated';
import type { Chat } from './chat.ts';
import { TooSoon } from './decider.ts';
import type { Guests } from './guests.ts';
import { roomMessages } from './hub/room-log.ts';
import type { Hub } from './hub/state.ts';
import type { OnlinePeople } from './online.ts';
import { isModerator, type Person } from './people.ts';
import { messageIdOf } from './message-id.ts';
import { mutesOf, reportedMessages, type RoomInfo } from './queries.ts';

export interface ChatRoutesDeps {
  pool: Pool;
  chat: Chat;
  hub: Hub;
  guests: Guests;
  online: OnlinePeople;
  auth: Pick<Authenticator, 'signedIn' | 'optional'>;
  moderated: ModeratedDeps;
}

/** Returns 404 for a malformed room, message or person. */
function named<T>(schema: z.ZodType<T>, text: unknown, what: Named): T {
  const found = schema.safeParse(text);
  if (!found.success) throw notFound(what);
  return found.data;
}
const roomOf = (req: Request): string => named(RoomId, req.params['room'], 'chat');
const seqOf = (req: Request): number => named(IdText, req.params['seq'], 'message');
const reactionOf = (req: Request): Reaction => named(Reaction, req.params['reaction'], 'reaction');
const PersonKey = z.string().regex(/^(account:[1-9]\d{0,9}|guest:[0-9a-f-]{36})$/);

/**
 * HTTP routes for everything that pages can also do by socket, and for moderation: services/realtime/PRODUCT.md#chat
 */
export function chatRoutes({ pool, chat, hub, guests, online, auth, moderated }: ChatRoutesDeps): Router {
  const router = Router();

  const personOf = (req: Request): Person =>
    req.caller ? { caller: req.caller } : { guest: guests.guestOf(req.get('x-guest-key'), addressOf(req)) };
  const asRoom = (info: RoomInfo, req: Request): ChatRoom => {
    const { ownerId: _ownerId, ...shown } = info;
    return { ...shown, participantCount: online.count(info.room), canModerate: isModerator(info, req.caller) };
  };

  router.use('/api/chat', (_req, res, next) => {
    res.set('Cache-Control', 'private, no-store');
    next();
  });

  router.get('/api/chat/reported', auth.signedIn, async (req, res) => {
    const { id, role } = callerOf(req);
    const query = ReportedMessagesQuery.parse(req.query);
    const page = await reportedMessages(moderated, { ...query, ownerId: role === 'admin' ? null : id });
    res.json(page satisfies ReportedMessages);
  });

  router.get('/api/chat/:room', auth.optional, async (req, res) => {
    res.json(asRoom(await chat.roomOf(roomOf(req)), req));
  });

  router.patch('/api/chat/:room', auth.signedIn, async (req, res) => {
    const { description, ...others } = ChatRoomBody.parse(req.body);
    // The log stores a removed description as empty.
    const settings = { ...others, ...(description !== undefined && { description: description ?? '' }) };
    res.json(asRoom(await chat.change(roomOf(req), callerOf(req), withoutGaps(settings)), req));
  });

  router.get('/api/chat/:room/messages', auth.optional, async (req, res) => {
    const query = MessagesQuery.parse(req.query);
    const room = roomOf(req);
    const info = await chat.roomOf(room);
    const messages = await chat.asSeen(info, req.caller, await roomMessages(hub, room, query));
    // Read after the messages, so that this number is never lower than theirs.
    const { seq } = await chat.roomOf(room);
    res.json({ messages, seq } satisfies MessagePage);
  });

  router.post('/api/chat/:room/messages', auth.optional, async (req, res) => {
    const room = roomOf(req);
    const body = PostMessageBody.parse(req.body);
    const message: ChatMessage = await chat.post(room, personOf(req), body).catch(toldByHttp);
    res.status(201).json(message);
  });

  router.delete('/api/chat/:room/messages/:seq', auth.optional, async (req, res) => {
    await chat.remove(roomOf(req), personOf(req), seqOf(req));
    res.status(204).end();
  });

  router.put('/api/chat/:room/messages/:seq/reactions/:reaction', auth.optional, async (req, res) => {
    res.json((await chat.react(roomOf(req), personOf(req), seqOf(req), reactionOf(req), true)) satisfies Reacted);
  });

  router.delete('/api/chat/:room/messages/:seq/reactions/:reaction', auth.optional, async (req, res) => {
    res.json((await chat.react(roomOf(req), personOf(req), seqOf(req), reactionOf(req), false)) satisfies Reacted);
  });

  router.post('/api/chat/:room/messages/:seq/report', auth.signedIn, async (req, res) => {
    const id = messageIdOf(roomOf(req), seqOf(req));
    const body = ReportMessageBody.parse(req.body);
    await reportContent(moderated, 'message', { id, reporterId: callerOf(req).id, ...body });
    res.status(204).end();
  });

  /** Settles the reports and keeps the message. */
  router.delete('/api/chat/:room/messages/:seq/reports', auth.signedIn, async (req, res) => {
    await chat.settleReports(roomOf(req), callerOf(req), seqOf(req));
    res.status(204).end();
  });

  router.get('/api/chat/:room/mutes', auth.signedIn, async (req, res) => {
    const { room } = await chat.moderated(roomOf(req), callerOf(req));
    res.json((await mutesOf(pool, room)) satisfies Mute[]);
  });

  router.post('/api/chat/:room/mutes', auth.signedIn, async (req, res) => {
    await chat.mute(roomOf(req), callerOf(req), MuteBody.parse(req.body));
    res.status(204).end();
  });

  router.delete('/api/chat/:room/mutes/:person', auth.signedIn, async (req, res) => {
    await chat.unmute(roomOf(req), callerOf(req), named(PersonKey, req.params['person'], 'person'));
    res.status(204).end();
  });

  return router;
}

/** Maps `TooSoon` to 429 with the time to retry. */
function toldByHttp(error: unknown): never {
  if (error instanceof TooSoon) throw HttpProblem.received(429, rejection(error), error.retryAfterSeconds);
  throw error;
}

/** Removes the fields that were not sent. */
const withoutGaps = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    [Field in keyof T]: Exclude<T[Field], undefined>;
  };
