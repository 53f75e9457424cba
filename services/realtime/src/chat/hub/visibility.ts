import type { Pool } from 'pg';
import { z } from 'zod';
import { hiddenMessage, type ChatMessage } from '@beltway/contracts/realtime/chat';
import type { Caller } from '@beltway/kit/auth';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Redis } from '@beltway/kit/redis';
import { blocksOf } from '../../community/blocks.ts';
import { isModerator } from '../people.ts';
import type { RoomInfo } from '../queries.ts';
import { prepare, type Prepared } from './frames.ts';

/** Accounts whose messages a reader does not see, because the reader or the account blocked the other. */
export type HiddenAccounts = ReadonlySet<number>;

const NONE: HiddenAccounts = new Set();
const CHANNEL = 'chat-blocks';
/**
 * Interval at which the hidden accounts of all readers are read again. This finds changes that were not published,
 * because Redis was down or an account was erased.
 */
const READ_EVERY_MS = 5_000;

export interface VisibilityDeps {
  pool: Pool;
  log: Logger;
  redis: Redis | undefined;
  /** Identifies this process to the other instances. */
  instance: string;
  /** Called when these accounts became hidden from a reader, or visible again. */
  onChange: (userId: number, others: HiddenAccounts) => void;
  everyMs?: number;
}

interface Reader {
  pages: number;
  /** Undefined until the hidden accounts were read. */
  hidden: HiddenAccounts | undefined;
}

/**
 * The accounts that are hidden from the readers of this instance. They are in memory, because each flush of a room
 * needs them.
 */
export interface Visibility extends VisibilityDeps {
  readers: Map<number, Reader>;
  /** The next read, which has not begun yet. */
  next: { userIds: Set<number>; done: Promise<void> } | undefined;
  /** Resolves when the last requested read has ended. */
  reading: Promise<void>;
  polling: Poller;
}

const BlocksChanged = z.object({ from: z.string(), accounts: z.array(z.int()) });

export function openVisibility(deps: VisibilityDeps): Visibility {
  const { log, redis, instance, everyMs = READ_EVERY_MS } = deps;
  const polling = startPolling(log, 'read which accounts are hidden from the readers of chats', everyMs, async () => {
    if (visibility.readers.size > 0) await read(visibility, visibility.readers.keys());
    return false;
  });
  const visibility: Visibility = { ...deps, readers: new Map(), next: undefined, reading: Promise.resolve(), polling };
  redis?.subscribe(CHANNEL, (bytes) => {
    let message: z.infer<typeof BlocksChanged>;
    try {
      message = BlocksChanged.parse(JSON.parse(bytes.toString()));
    } catch {
      return; // from another version of the code: the next poll reads the change
    }
    if (message.from !== instance) void read(visibility, message.accounts).catch(() => undefined);
  });
  return visibility;
}

/** Runs reads in sequence. Each read begins after it was requested, so a later read has newer data. */
function read(visibility: Visibility, userIds: Iterable<number>): Promise<void> {
  if (!visibility.next) {
    const batch = { userIds: new Set<number>(), done: Promise.resolve() };
    batch.done = visibility.reading.then(() => {
      visibility.next = undefined;
      return readNow(visibility, [...batch.userIds]);
    });
    visibility.reading = batch.done.catch(() => undefined);
    visibility.next = batch;
  }
  for (const userId of userIds) visibility.next.userIds.add(userId);
  return visibility.next.done;
}

async function readNow({ pool, readers, onChange }: Visibility, userIds: number[]): Promise<void> {
  const here = userIds.filter((userId) => readers.has(userId));
  if (here.length === 0) return;
  for (const [userId, hidden] of await blocksOf(pool, here)) {
    const reader = readers.get(userId);
    if (!reader) continue;
    const before = reader.hidden;
    reader.hidden = hidden;
    const others = before?.symmetricDifference(hidden) ?? NONE;
    if (others.size > 0) onChange(userId, others);
  }
}

/** Counts one more page of this reader. Resolves when the accounts hidden from the reader are known. */
export function addReader(visibility: Visibility, userId: number): Promise<void> {
  const reader = visibility.readers.get(userId) ?? { pages: 0, hidden: undefined };
  reader.pages++;
  visibility.readers.set(userId, reader);
  return reader.hidden ? Promise.resolve() : read(visibility, [userId]);
}

export function removeReader({ readers }: Visibility, userId: number): void {
  const reader = readers.get(userId);
  if (reader && --reader.pages === 0) readers.delete(userId);
}

/** The accounts hidden from a reader, as read last; empty for an undefined reader. */
export const hiddenFrom = ({ readers }: Visibility, userId: number | undefined): HiddenAccounts =>
  (userId === undefined ? undefined : readers.get(userId)?.hidden) ?? NONE;

/**
 * Publishes to the other instances that one of two accounts blocked or unblocked the other. Resolves when the change
 * applies on this instance.
 */
export async function publishBlockChange(
  visibility: Visibility,
  ...accounts: [userId: number, otherId: number]
): Promise<void> {
  const { log, redis, instance } = visibility;
  // If publishing fails, the next poll of the other instances reads the change.
  redis?.ask((client) => client.sPublish(CHANNEL, JSON.stringify({ from: instance, accounts }))).catch(() => undefined);
  // The block is committed. If this read fails, the block applies with the next read.
  await read(visibility, accounts).catch((error: unknown) =>
    log.warn({ err: error }, 'blocks were not read for the chats'),
  );
}

/**
 * The account whose blocks apply to this caller. Undefined for moderators: a user who blocks a moderator must not evade
 * moderation.
 */
export const readerOf = (info: RoomInfo, caller: Caller | undefined): number | undefined =>
  isModerator(info, caller) ? undefined : caller?.id;

/** Messages as a reader sees them. Returns the same list if no message is hidden. */
export function seenBy(hidden: HiddenAccounts, messages: ChatMessage[]): ChatMessage[] {
  if (hidden.size === 0) return messages;
  const isHidden = ({ userId }: ChatMessage) => userId !== null && hidden.has(userId);
  return messages.some(isHidden) ? messages.map((one) => (isHidden(one) ? hiddenMessage(one) : one)) : messages;
}

/** Encodes a frame once for all readers, and once more for each different set of hidden messages. */
export function frameForReaders(
  visibility: Visibility,
  event: 'messages' | 'messages-changed',
  room: string,
  messages: ChatMessage[],
): (reader: number | undefined) => Prepared {
  const whole = prepare(event, { room, messages });
  const views = new Map<string, Prepared>();
  return (reader) => {
    const seen = seenBy(hiddenFrom(visibility, reader), messages);
    if (seen === messages) return whole;
    const view = seen.map(({ isHidden }) => (isHidden ? '1' : '0')).join('');
    const prepared = views.get(view) ?? prepare(event, { room, messages: seen });
    views.set(view, prepared);
    return prepared;
  };
}
