import type { z } from 'zod';
import type { ChatMessage, MessagesQuery } from '@beltway/contracts/realtime/chat';
import {
  knownBefore,
  messagesAfter,
  messagesBefore,
  messagesBySeq,
  roomsBy,
  type Known,
  type RoomInfo,
} from '../queries.ts';
import { enqueue, scheduleFlush, sendChanges } from './delivery.ts';
import { PAGE, type Hub, type OpenRoom } from './state.ts';

/** Number of a room's messages that are kept in memory while it has members. */
const RING = 200;
/**
 * Maximum number of messages that wait for an earlier message. Later messages are dropped and, when their turn comes,
 * read from the database.
 */
const MAX_EARLY = 1_000;
/** Maximum number of changed messages, in all rooms, for which the content sent last is remembered. */
const MAX_REMEMBERED = 10_000;

// Rooms in memory

/** The room in memory, which is loaded first if necessary. Undefined if there is no such room. */
export async function openRoom(hub: Hub, name: string): Promise<OpenRoom | undefined> {
  const room = hub.rooms.get(name);
  if (room?.isLoaded) return room;
  let opening = hub.opening.get(name);
  if (!opening) {
    opening = load(hub, name).finally(() => hub.opening.delete(name));
    hub.opening.set(name, opening);
  }
  return opening;
}

async function load(hub: Hub, name: string): Promise<OpenRoom | undefined> {
  const [info] = await roomsBy(hub.pool, [name]);
  if (!info) return undefined;
  const room: OpenRoom = {
    ...{ info, isLoaded: false, last: 0, ring: [], changed: new Set(), early: new Map(), hasMore: false },
    ...{ toRead: new Map(), reading: Promise.resolve(), isReading: false, members: new Map(), outbox: [] },
    ...{ flushTimer: undefined, flushedAt: 0, restsUntil: 0, pace: { second: 0, now: 0, before: 0 } },
  };
  // From now on, the room receives new messages. The read below finds all earlier messages.
  hub.rooms.set(name, room);
  try {
    for (const { message, hasChanged } of await knownBefore(hub.pool, name, undefined, RING)) {
      room.ring.push(message);
      if (hasChanged) room.changed.add(message.seq);
    }
  } catch (error) {
    hub.rooms.delete(name);
    throw error;
  }
  room.last = room.ring.at(-1)?.seq ?? 0;
  room.isLoaded = true;
  for (const seq of room.early.keys()) if (seq <= room.last) room.early.delete(seq);
  advance(hub, room);
  void readMissing(hub, room);
  return room;
}

/** Removes a room without members from memory. The next member loads the room again. */
export function closeIfEmpty(hub: Hub, room: OpenRoom): void {
  if (room.members.size === 0) closeRoom(hub, room);
}

export function closeRoom({ rooms }: Hub, room: OpenRoom): void {
  if (rooms.get(room.info.room) !== room) return;
  clearTimeout(room.flushTimer);
  rooms.delete(room.info.room);
}

// Order

/**
 * Accepts new messages in any order. Members receive the messages in the order of their numbers. A gap is first filled
 * from the database.
 */
export function offerMessages(hub: Hub, name: string, messages: readonly ChatMessage[]): void {
  const room = hub.rooms.get(name);
  if (!room) return;
  for (const message of messages)
    if ((!room.isLoaded || message.seq > room.last) && !room.early.has(message.seq))
      room.early.set(message.seq, message);
  advance(hub, room);
  if (room.early.size === 0) return;
  if (room.early.size > MAX_EARLY) room.early.clear();
  room.hasMore = true;
  void readMissing(hub, room);
}

/** Queues the next messages in order for the members. */
function advance(hub: Hub, room: OpenRoom): void {
  if (!room.isLoaded) return;
  for (let next = room.early.get(room.last + 1); next; next = room.early.get(room.last + 1)) {
    room.early.delete(next.seq);
    room.last = next.seq;
    room.ring.push(next);
    enqueue(hub, room, next);
  }
  if (room.ring.length > RING + PAGE)
    for (const { seq } of room.ring.splice(0, room.ring.length - RING)) room.changed.delete(seq);
  scheduleFlush(hub, room);
}

// Reads from the database

/** Reads missing and changed messages until none is left. */
export function readMissing(hub: Hub, room: OpenRoom): Promise<void> {
  if (!room.isLoaded) return Promise.resolve(); // `load` calls this function again when it is done
  if (!room.isReading) room.reading = readAll(hub, room);
  return room.reading;
}

async function readAll(hub: Hub, room: OpenRoom): Promise<void> {
  room.isReading = true;
  try {
    while (!hub.isClosed && hub.rooms.get(room.info.room) === room)
      if (room.hasMore) await readNext(hub, room);
      else if (room.toRead.size > 0) await readChanges(hub, room);
      else break;
  } catch (error) {
    hub.log.warn({ err: error, room: room.info.room }, 'a chat was not read; the next poll reads it');
  } finally {
    room.isReading = false;
  }
}

async function readNext(hub: Hub, room: OpenRoom): Promise<void> {
  const { last } = room;
  room.hasMore = false;
  const found = await messagesAfter(hub.pool, room.info.room, last, PAGE);
  for (const message of found) if (message.seq > room.last) room.early.set(message.seq, message);
  advance(hub, room);
  // If the next message was not found, the database itself has a gap. The next poll reads again.
  if (found.length === PAGE && room.last > last) room.hasMore = true;
}

async function readChanges(hub: Hub, room: OpenRoom): Promise<void> {
  const page = [...room.toRead].slice(0, PAGE);
  for (const [seq] of page) room.toRead.delete(seq);
  const seqs = page.map(([seq]) => seq);
  applyChanges(hub, room, await messagesBySeq(hub.pool, room.info.room, seqs));
  for (const [seq, changedAt] of page)
    if (changedAt !== undefined) remember(hub.changeTimes, messageKey(room.info.room, seq), changedAt);
}

/** Replaces the changed messages in memory. Sends the changed messages that differ from what members have. */
function applyChanges(hub: Hub, room: OpenRoom, messages: readonly ChatMessage[]): void {
  const unsent = messages.filter((message) => {
    const { seq, isRemoved, userName, reactions } = message;
    if (seq >= (room.ring[0]?.seq ?? 0)) room.changed.add(seq);
    // The message is sent with this content, even if its original content arrives later.
    if (seq > room.last) {
      room.early.set(seq, message);
      return false;
    }
    const key = messageKey(room.info.room, seq);
    const content = JSON.stringify([isRemoved, message.message, userName, reactions]);
    if (hub.sentContent.get(key) === content) return false;
    remember(hub.sentContent, key, content);
    for (const list of [room.ring, room.outbox]) {
      const at = list.findIndex((one) => one.seq === seq);
      if (at >= 0) list[at] = message;
    }
    return true;
  });
  if (unsent.length > 0) sendChanges(hub, room, unsent);
  if (unsent.length === messages.length) return;
  advance(hub, room);
  if (room.early.size > 0) room.hasMore = true;
}

export const messageKey = (room: string, seq: number) => `${room} ${seq}`;

function remember(values: Map<string, string>, key: string, value: string): void {
  values.delete(key);
  values.set(key, value);
  if (values.size > MAX_REMEMBERED) values.delete(values.keys().next().value!);
}

// Answers

/** A room and its last number, from memory if possible. Undefined if there is no such room. */
export async function roomInfo(hub: Hub, name: string): Promise<RoomInfo | undefined> {
  const room = activeRoom(hub, name);
  if (room) return { ...room.info, seq: room.last };
  const [info] = await roomsBy(hub.pool, [name]);
  return info;
}

/** The messages right after `after`, right before `before`, or the last messages; from memory if possible. */
export async function roomMessages(
  hub: Hub,
  name: string,
  { after, before, limit }: z.infer<typeof MessagesQuery>,
): Promise<ChatMessage[]> {
  const room = activeRoom(hub, name);
  const startsBy = (seq: number) => (room?.ring[0]?.seq ?? Infinity) <= seq;
  if (after !== undefined)
    return room && startsBy(after + 1)
      ? room.ring.filter(({ seq }) => seq > after).slice(0, limit)
      : messagesAfter(hub.pool, name, after, limit);
  const end = before ?? (room ? room.last + 1 : undefined);
  return room && end !== undefined && startsBy(Math.max(1, end - limit)) && end <= room.last + 1
    ? room.ring.filter(({ seq }) => seq < end).slice(-limit)
    : messagesBefore(hub.pool, name, before, limit);
}

/** A room whose memory is up to date. */
function activeRoom({ rooms }: Hub, name: string): OpenRoom | undefined {
  const room = rooms.get(name);
  return room?.isLoaded && room.members.size > 0 ? room : undefined;
}

/**
 * For a page that returns with the number of its last message. Returns the messages up to that number, which may have
 * changed, and the messages after that number.
 */
export async function messagesAround(
  { pool }: Hub,
  room: OpenRoom,
  after: number,
): Promise<{ before: Known[]; next: ChatMessage[] }> {
  // Most returning pages need only messages in memory, so a thousand returning pages are no load for the database.
  const { ring, changed, info } = room;
  const isInMemory = (seq: number) => (ring[0]?.seq ?? 1) <= Math.max(1, seq);
  const known = (): Known[] =>
    ring
      .filter(({ seq }) => seq > after - PAGE && seq <= after)
      .map((message) => ({ message, hasChanged: changed.has(message.seq) }));
  const [before, next] = await Promise.all([
    isInMemory(after - PAGE + 1) ? known() : knownBefore(pool, info.room, after + 1, PAGE),
    isInMemory(after + 1) ? [] : messagesAfter(pool, info.room, after, PAGE),
  ]);
  return { before, next };
}
