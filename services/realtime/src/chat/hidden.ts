import type { Pool } from 'pg';
import { z } from 'zod';
import { hiddenMessage, type ChatMessage } from '@beltway/contracts/realtime/chat';
import type { Logger } from '@beltway/kit/logger';
import { startPolling } from '@beltway/kit/polling';
import type { Redis } from '@beltway/kit/redis';
import { blocksOf } from '../community/blocks.ts';

/** Accounts of which a reader sees nothing: they block them, or are blocked by them. */
export type Hidden = ReadonlySet<number>;

const NOBODY: Hidden = new Set();
const CHANNEL = 'chat-blocks';
/** How often all is read anew, for what was not told: Redis was away, or an account was erased. */
const READ_EVERY_MS = 5_000;

/** Messages as a reader sees them: the same list where nothing in it is hidden from them. */
export function seenBy(hidden: Hidden, messages: ChatMessage[]): ChatMessage[] {
  if (hidden.size === 0) return messages;
  const isHidden = ({ userId }: ChatMessage) => userId !== null && hidden.has(userId);
  return messages.some(isHidden) ? messages.map((one) => (isHidden(one) ? hiddenMessage(one) : one)) : messages;
}

/** Who is in only one of the two. */
const difference = (one: Hidden, other: Hidden): Hidden =>
  new Set([...[...one].filter((id) => !other.has(id)), ...[...other].filter((id) => !one.has(id))]);

export interface HiddenPeople {
  /** One more page has this account's eyes. Resolves when it is known whom they do not see. */
  come(userId: number): Promise<void>;
  leave(userId: number): void;
  /** As read last. Undefined: who sees everybody. */
  of(userId: number | undefined): Hidden;
  /** Something between the two changed: read here, and told to the other instances. Resolves when it counts here. */
  changed(userId: number, otherId: number): Promise<void>;
  stop(): Promise<void>;
}

export interface HiddenPeopleDeps {
  pool: Pool;
  log: Logger;
  redis: Redis | undefined;
  /** Names this process to the others. */
  instance: string;
  /** Somebody here sees these accounts no more, or again. */
  tell: (userId: number, others: Hidden) => void;
  everyMs?: number;
}

const Told = z.object({ from: z.string(), accounts: z.array(z.int()) });

interface Reader {
  pages: number;
  /** Undefined: not read yet. */
  hidden: Hidden | undefined;
}

/** Whom the accounts that are here do not see, kept in memory: each flush of a room asks for it. */
export function hiddenPeople({ pool, log, redis, instance, tell, everyMs = READ_EVERY_MS }: HiddenPeopleDeps) {
  const readers = new Map<number, Reader>();

  /** What is to be read next, together. */
  let next: { userIds: Set<number>; done: Promise<void> } | undefined;
  let reading: Promise<void> = Promise.resolve();

  /** One reading after the other, each begun after it was asked for: what is read later is newer. */
  function read(userIds: Iterable<number>): Promise<void> {
    if (!next) {
      const batch = { userIds: new Set<number>(), done: Promise.resolve() };
      batch.done = reading.then(() => {
        next = undefined;
        return readNow([...batch.userIds]);
      });
      reading = batch.done.catch(() => undefined);
      next = batch;
    }
    for (const userId of userIds) next.userIds.add(userId);
    return next.done;
  }

  async function readNow(userIds: number[]): Promise<void> {
    const here = userIds.filter((userId) => readers.has(userId));
    if (here.length === 0) return;
    for (const [userId, hidden] of await blocksOf(pool, here)) {
      const reader = readers.get(userId);
      if (!reader) continue;
      const before = reader.hidden;
      reader.hidden = hidden;
      const others = before ? difference(before, hidden) : NOBODY;
      if (others.size > 0) tell(userId, others);
    }
  }

  redis?.subscribe(CHANNEL, (bytes) => {
    let told: z.infer<typeof Told>;
    try {
      told = Told.parse(JSON.parse(bytes.toString()));
    } catch {
      return; // of another version: it is read with all
    }
    if (told.from !== instance) void read(told.accounts).catch(() => undefined);
  });
  const polling = startPolling(log, 'read whom readers of chats do not see', everyMs, async () => {
    if (readers.size > 0) await read(readers.keys());
    return false;
  });

  return {
    come: (userId) => {
      const reader = readers.get(userId) ?? { pages: 0, hidden: undefined };
      reader.pages++;
      readers.set(userId, reader);
      return reader.hidden ? Promise.resolve() : read([userId]);
    },
    leave: (userId) => {
      const reader = readers.get(userId);
      if (reader && --reader.pages === 0) readers.delete(userId);
    },
    of: (userId) => (userId === undefined ? undefined : readers.get(userId)?.hidden) ?? NOBODY,
    changed: async (...accounts) => {
      redis
        ?.ask((client) => client.sPublish(CHANNEL, JSON.stringify({ from: instance, accounts })))
        .catch(() => undefined); // it is read with all
      // What was written is written: it counts with the next reading at the latest.
      await read(accounts).catch((error: unknown) => log.warn({ err: error }, 'blocks were not read for the chats'));
    },
    stop: () => polling.stop(),
  } satisfies HiddenPeople;
}
