import { z } from 'zod';
import { ChatMessage, type ChatServerMessages } from '@beltway/contracts/realtime/chat';
import { changedSince, roomsBy, type RoomInfo } from '../queries.ts';
import { sendToRoom } from './delivery.ts';
import { prepare } from './frames.ts';
import { restartRoom } from './members.ts';
import { messageKey, offerMessages, readMissing } from './room-log.ts';
import type { Hub } from './state.ts';

const CHANNEL = 'chat';
/** How often the database is polled for changes that other instances did not publish, with Redis and without. */
const POLL_MS = 1_000;
const POLL_WITHOUT_REDIS_MS = 250;
/** How far back a poll looks for changes. An append may become visible later than the time it is stored with. */
const OVERLAP_MS = 10_000;

const PeerMessage = z.object({
  from: z.string(),
  room: z.string(),
  messages: z.array(ChatMessage).optional(),
  /** Numbers of changed messages. */
  changed: z.array(z.number()).optional(),
});
type PeerMessage = z.infer<typeof PeerMessage>;

// What this instance did

/** Publishes messages that this instance appended. */
export function publishMessages(hub: Hub, room: string, messages: ChatMessage[]): void {
  offerMessages(hub, room, messages);
  publish(hub, { room, messages });
}

/**
 * Publishes messages that this instance changed. Resolves when the messages are up to date in this instance's memory.
 */
export async function publishChanges(hub: Hub, room: string, seqs: number[]): Promise<void> {
  void hub.changesToPublish.add(room, seqs);
  await hub.changesToRead.add(room, seqs);
}

/** Publishes settings that moderators changed on this instance. */
export async function publishSettings(hub: Hub, room: string): Promise<void> {
  const [info] = await roomsBy(hub.pool, [room]);
  if (info) applySettings(hub, info);
  publish(hub, { room });
}

/**
 * Publishes to the other instances through Redis. Without Redis, or if publishing fails, they find the change by
 * polling.
 */
export function publish({ redis, instance }: Hub, message: Omit<PeerMessage, 'from'>): void {
  if (!redis?.usable()) return;
  redis
    .ask((client) => client.sPublish(CHANNEL, JSON.stringify({ ...message, from: instance } satisfies PeerMessage)))
    .catch(() => undefined);
}

// What the peers did

export function subscribeToPeers(hub: Hub): void {
  hub.redis?.subscribe(CHANNEL, (bytes) => {
    let message: PeerMessage;
    try {
      message = PeerMessage.parse(JSON.parse(bytes.toString()));
    } catch {
      return; // from another version of the code: polling finds it
    }
    if (message.from === hub.instance) return;
    if (message.messages) offerMessages(hub, message.room, message.messages);
    if (message.changed) void hub.changesToRead.add(message.room, message.changed);
  });
  schedulePoll(hub);
}

/** Reads changed messages of a room from the database. */
export function readChanged(hub: Hub, name: string, seqs: number[]): Promise<void> | undefined {
  const room = hub.rooms.get(name);
  if (!room) return undefined;
  for (const seq of seqs) room.toRead.set(seq, undefined);
  return readMissing(hub, room);
}

function schedulePoll(hub: Hub): void {
  const wait = hub.redis?.usable() ? POLL_MS : POLL_WITHOUT_REDIS_MS;
  hub.pollTimer = setTimeout(() => {
    void poll(hub)
      .catch((error: unknown) => hub.log.warn({ err: error }, 'a poll of the chats failed; it is retried'))
      .finally(() => hub.isClosed || schedulePoll(hub));
  }, wait).unref();
}

async function poll(hub: Hub): Promise<void> {
  const { pool, rooms, clock } = hub;
  const names = [...rooms.keys()];
  if (names.length === 0) return;
  // Read before the query, because an intact database always contains these numbers.
  const lasts = new Map(names.map((name) => [name, rooms.get(name)?.last]));
  const began = await clock.sync();
  const since = new Date((hub.polledAt ?? began).getTime() - OVERLAP_MS);
  const [infos, changes] = await Promise.all([roomsBy(pool, names), changedSince(pool, names, since)]);
  for (const info of infos) {
    const room = rooms.get(info.room);
    if (room && info.seq < (lasts.get(info.room) ?? 0)) {
      restartRoom(hub, room);
      continue;
    }
    applySettings(hub, info);
    if (!room || info.seq <= room.last) continue;
    room.hasMore = true;
    void readMissing(hub, room);
  }
  for (const { room: name, seq, changedAt } of changes) {
    const room = rooms.get(name);
    if (!room || hub.changeTimes.get(messageKey(name, seq)) === changedAt) continue;
    room.toRead.set(seq, changedAt);
    void readMissing(hub, room);
  }
  hub.polledAt = began;
}

function applySettings(hub: Hub, info: RoomInfo): void {
  const room = hub.rooms.get(info.room);
  if (!room) return;
  const [before, now] = [settingsOf(room.info), settingsOf(info)];
  room.info = info;
  if (JSON.stringify(before) !== JSON.stringify(now)) sendToRoom(hub, info.room, prepare('room-changed', now));
}

type Settings = Parameters<ChatServerMessages['room-changed']>[0];
const settingsOf = ({ room, name, description, isActive, slowModeSeconds }: RoomInfo): Settings => ({
  room,
  isActive,
  slowModeSeconds,
  name,
  description,
});
