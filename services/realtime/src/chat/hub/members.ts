import { FIRST_MESSAGES, type ChatMessage } from '@beltway/contracts/realtime/chat';
import type { Caller } from '@beltway/kit/auth';
import type { RealtimeSocket } from '../../sockets.ts';
import type { Known } from '../queries.ts';
import { fallBehind, resendFrom } from './delivery.ts';
import { closeIfEmpty, closeRoom, messagesAround, openRoom, readMissing } from './room-log.ts';
import { lastSent, PAGE, type Hub, type Member, type OpenRoom } from './state.ts';
import { addReader, hiddenFrom, readerOf, removeReader, seenBy } from './visibility.ts';

export interface JoinRequest {
  room: string;
  /**
   * The number and the id of the last message that the page has. If the room has another message with this number, the
   * page starts over.
   */
  after?: number | undefined;
  afterId?: string | undefined;
  /** Undefined for a guest. */
  caller?: Caller | undefined;
}

export interface JoinedRoom {
  messages: ChatMessage[];
  changed: ChatMessage[];
  seq: number;
  startsAnew?: true;
}

/**
 * Makes a socket a member. Returns the messages up to now; the socket then receives all later messages. Undefined if
 * there is no such room.
 */
export async function joinRoom(
  hub: Hub,
  socket: RealtimeSocket,
  request: JoinRequest,
): Promise<JoinedRoom | undefined> {
  let room = await openRoom(hub, request.room);
  // If the room's last member left during the load, the room was closed and must be opened again.
  while (room && hub.rooms.get(request.room) !== room) room = await openRoom(hub, request.room);
  if (!room) return undefined;
  const reader = readerOf(room.info, request.caller);
  // The member is added before the reads, because a room with a member stays in memory.
  const member: Member = {
    ...{ socket, sent: room.last, isBehind: false, isJoining: true },
    ...{ missed: new Map(), unsent: new Map(), reader },
  };
  const readerAdded = reader === undefined ? undefined : addReader(hub.visibility, reader);
  removeMember(hub, room, socket);
  room.members.set(socket, member);
  try {
    await readerAdded;
    if (request.after === undefined) return answer(hub, room, member);
    if (request.after > room.last) {
      // The page has a message from another instance that has not arrived here yet.
      room.hasMore = true;
      await readMissing(hub, room);
    }
    const { before, next } = await messagesAround(hub, room, request.after);
    return answer(hub, room, member, { after: request.after, afterId: request.afterId, before, next });
  } catch (error) {
    if (room.members.get(socket) === member) removeMember(hub, room, socket);
    closeIfEmpty(hub, room);
    throw error;
  }
}

interface Resumption {
  after: number;
  afterId: string | undefined;
  before: Known[];
  /** The messages right after `after` that were read from the database. */
  next: ChatMessage[];
}

/** Builds the response to a join. From now on, the member receives all later messages. */
function answer(hub: Hub, room: OpenRoom, member: Member, resumption?: Resumption): JoinedRoom {
  // Messages of the next flush are sent after the response. Flushing single messages for each join would be expensive.
  const seq = lastSent(room);
  member.sent = seq;
  member.isJoining = false;
  const { missed } = member;
  member.missed = new Map();
  // The response contains the number of people online.
  member.unsent.delete('online');
  if (member.unsent.size > 0) fallBehind(hub, member);
  const hidden = hiddenFrom(hub.visibility, member.reader);
  const sent = room.ring.filter((message) => message.seq <= seq);
  const first = { messages: seenBy(hidden, sent.slice(-FIRST_MESSAGES)), changed: [], seq };
  if (!resumption) return first;
  const { after, afterId, before } = resumption;
  const isOther =
    afterId !== undefined && before.find(({ message }) => message.seq === after)?.message.id !== afterId.toLowerCase();
  if (isOther) return { ...first, startsAnew: true };
  const next = resumption.next.filter((message) => message.seq <= seq);
  const end = next.at(-1)?.seq ?? after;
  const newer = sent.filter((message) => message.seq > end);
  const isAdjacent = newer[0] === undefined || newer[0].seq === end + 1;
  const messages = isAdjacent ? [...next, ...newer].slice(0, PAGE) : next;
  // Messages that were read for the response may be older than a change that arrived in the meantime.
  const latest = (message: ChatMessage): ChatMessage => missed.get(message.seq) ?? message;
  const changed = new Map<number, ChatMessage>();
  // Includes messages that are hidden now, because the page may have received them before the block.
  const isHidden = ({ userId }: ChatMessage) => userId !== null && hidden.has(userId);
  for (const { message, hasChanged } of before)
    if (hasChanged || isHidden(message)) changed.set(message.seq, latest(message));
  for (const message of missed.values()) if (message.seq <= after) changed.set(message.seq, message);
  return {
    messages: seenBy(hidden, messages.map(latest)),
    changed: seenBy(hidden, [...changed.values()]),
    // The page may already have messages of the next flush, sent by another instance.
    seq: Math.max(seq, Math.min(after, room.last)),
  };
}

export function leaveRoom(hub: Hub, socket: RealtimeSocket, name: string): void {
  const room = hub.rooms.get(name);
  if (room && removeMember(hub, room, socket)) closeIfEmpty(hub, room);
}

function removeMember({ visibility }: Hub, room: OpenRoom, socket: RealtimeSocket): boolean {
  const member = room.members.get(socket);
  if (member?.reader !== undefined) removeReader(visibility, member.reader);
  return room.members.delete(socket);
}

/** Changes the reader of a member, and resends the messages whose visibility differs for the new reader. */
export async function setReader(
  hub: Hub,
  socket: RealtimeSocket,
  name: string,
  caller: Caller | undefined,
): Promise<void> {
  const room = hub.rooms.get(name);
  const member = room?.members.get(socket);
  if (!room || !member) return;
  const reader = readerOf(room.info, caller);
  const before = member.reader;
  if (reader === before) return;
  // Nothing is sent until we know which accounts are hidden from the new reader.
  member.isJoining = true;
  const readerAdded = reader === undefined ? undefined : addReader(hub.visibility, reader);
  const accounts = new Set(hiddenFrom(hub.visibility, before));
  member.reader = reader;
  if (before !== undefined) removeReader(hub.visibility, before);
  await readerAdded;
  for (const account of hiddenFrom(hub.visibility, reader)) accounts.add(account);
  member.isJoining = false;
  resendFrom(hub, room, member, accounts);
}

/**
 * Called when the database was restored from an earlier backup. The pages reconnect; each page sends the number of its
 * last message.
 */
export function restartRoom(hub: Hub, room: OpenRoom): void {
  hub.log.warn(
    { room: room.info.room },
    'the database has fewer messages of a chat than were sent: its pages start over',
  );
  closeRoom(hub, room);
  for (const socket of room.members.keys()) {
    removeMember(hub, room, socket);
    socket.conn.close();
  }
}
