import { LRUCache } from 'lru-cache';
import type { Representations } from './representations.ts';
import type { Target } from './target.ts';

/** An answer that is the same for all readers. */
export interface Entry {
  target: Target;
  answer: Representations;
  tags: ReadonlySet<string>;
  /**
   * The time when the service was asked, which is the earliest time of the answer's data. All times here are in
   * milliseconds by the cache's clock.
   */
  askedAt: number;
  freshUntil: number;
  /** Until this time, the entry may be served while the service is down. */
  staleUntil: number;
  /**
   * Set when the service has failed. Until this time readers get the old body without waiting. Afterwards the service
   * is asked again.
   */
  retryAt: number | undefined;
}

/** Maximum age of a body while its service works. */
export const FRESH_MS = 1_000;
/** Maximum age of the last body while its service is down. */
export const STALE_MS = 5 * 60_000;
/**
 * A purge takes effect within this time, so a URL is requested from its service at most ten times a second, however
 * often the answer changes. An answer from just before or after a purge is not cached for a full second. The service
 * may consume the same bus message later than the gateway, so that answer may contain old data.
 */
export const PURGE_MS = 100;
/** Purges are remembered for longer than the timeout of any service. */
const REMEMBERED_MS = 15_000;

/**
 * Anyone can invent URLs with a query, so their answers have separate room and cannot evict events. An answer has a few
 * kilobytes; a list of 200 events has about 300 kB.
 */
const ROOM = {
  plain: { max: 2_000, maxSize: 32 * 1_048_576 },
  withQuery: { max: 1_000, maxSize: 16 * 1_048_576 },
};
/** Memory of an entry in addition to its bodies. */
const OVERHEAD = 4_096;

export type Room = typeof ROOM;

export interface Entries {
  get(url: string): Entry | undefined;
  /** Caches an answer. Purges that happened after the service was asked, or shortly before, are applied to it. */
  keep(entry: Pick<Entry, 'target' | 'answer' | 'tags' | 'askedAt'> & { freshMs: number }): Entry;
  remove(target: Target): void;
  /** Updates an entry's size. Call it after the entry's bodies grew. */
  measure(entry: Entry): void;
  /**
   * Invalidates entries with at least one of these tags. `isUntrue`: the entries may not be served even while the
   * service is down.
   */
  purge(tags: readonly string[], isUntrue: boolean): void;
  /** Whether an entry was purged after its service was asked. */
  isOutdated(entry: Entry): boolean;
  /**
   * Whether anything was purged since `time`, whatever its tags. For an answer without tags, for example about an event
   * that does not exist.
   */
  hasPurgedSince(time: number): boolean;
  count(): number;
  bytes(): number;
}

/** The cached answers. Their number and bytes are bounded, and the least recently used answers are evicted first. */
export function openEntries(clock: () => number, room: Room = ROOM): Entries {
  const sizeCalculation = ({ answer }: Entry) => answer.bytes() + OVERHEAD;
  const plain = new LRUCache<string, Entry>({ ...room.plain, sizeCalculation });
  const withQuery = new LRUCache<string, Entry>({ ...room.withQuery, sizeCalculation });
  const roomOf = ({ hasQuery }: Target) => (hasQuery ? withQuery : plain);
  /** Recently purged tags. The latest is last. */
  const purged = new Map<string, { at: number; untrueAt: number }>();
  let purgedAt = -Infinity;

  const outdate = (entry: Entry, at: number, isUntrue: boolean) => {
    entry.freshUntil = Math.min(entry.freshUntil, Math.max(at, entry.askedAt + PURGE_MS));
    if (isUntrue) entry.staleUntil = -Infinity;
  };
  const put = (entry: Entry) => {
    const { url } = entry.target;
    // Without the deletion, the cache would keep counting the entry's old size.
    roomOf(entry.target).delete(url);
    roomOf(entry.target).set(url, entry);
  };

  return {
    get: (url) => plain.get(url) ?? (withQuery.size > 0 ? withQuery.get(url) : undefined),
    keep({ freshMs, ...answered }) {
      const { askedAt, tags } = answered;
      const entry: Entry = {
        ...answered,
        freshUntil: askedAt + Math.min(freshMs, FRESH_MS),
        staleUntil: askedAt + STALE_MS,
        retryAt: undefined,
      };
      for (const tag of tags) {
        const purge = purged.get(tag);
        if (purge && purge.at >= askedAt - PURGE_MS) outdate(entry, purge.at, purge.untrueAt >= askedAt);
      }
      put(entry);
      return entry;
    },
    remove: (target) => void roomOf(target).delete(target.url),
    measure(entry) {
      if (roomOf(entry.target).peek(entry.target.url) === entry) put(entry);
    },
    purge(tags, isUntrue) {
      const now = clock();
      purgedAt = now;
      for (const [tag, { at }] of purged) {
        if (at > now - REMEMBERED_MS) break;
        purged.delete(tag);
      }
      for (const tag of tags) {
        const untrueAt = isUntrue ? now : (purged.get(tag)?.untrueAt ?? -Infinity);
        purged.delete(tag);
        purged.set(tag, { at: now, untrueAt });
      }
      for (const one of [plain, withQuery])
        for (const entry of one.values()) if (tags.some((tag) => entry.tags.has(tag))) outdate(entry, now, isUntrue);
    },
    isOutdated: ({ tags, askedAt }) => [...tags].some((tag) => (purged.get(tag)?.at ?? -Infinity) >= askedAt),
    hasPurgedSince: (time) => purgedAt >= time,
    count: () => plain.size + withQuery.size,
    bytes: () => plain.calculatedSize + withQuery.calculatedSize,
  };
}
