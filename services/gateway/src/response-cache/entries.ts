import { LRUCache } from 'lru-cache';
import type { Representations } from './representations.ts';
import type { Target } from './target.ts';

/** An answer that is the same for everybody. */
export interface Entry {
  target: Target;
  answer: Representations;
  tags: ReadonlySet<string>;
  /** When the service was asked: what it says may be as old. By the cache's clock, in milliseconds, as all below. */
  askedAt: number;
  freshUntil: number;
  /** Until then it is shown while the service is down. */
  staleUntil: number;
  /** The service failed: nobody waits for it before the old body is shown, and it is asked again from then on. */
  retryAt: number | undefined;
}

/** Longest that a body is shown while its service works. */
export const FRESH_MS = 1_000;
/** Longest that the last body is shown while its service does not. */
export const STALE_MS = 5 * 60_000;
/**
 * Within this time a purge takes effect, so that an address is asked for ten times a second at most however often its
 * answer changes. As long, an answer after a purge is not trusted for a whole second: the service may hear of the
 * change when the gateway does, and have answered before it took it in.
 */
export const PURGE_MS = 100;
/** Purges are remembered for longer than any service is waited for. */
const REMEMBERED_MS = 15_000;

/**
 * Addresses with a query are anybody's to make up, so they have room of their own and take none from the events. An
 * answer is some kilobytes, a list of 200 events some 300 kB.
 */
const ROOM = {
  plain: { max: 2_000, maxSize: 32 * 1_048_576 },
  withQuery: { max: 1_000, maxSize: 16 * 1_048_576 },
};
/** What an entry takes beside its bodies. */
const OVERHEAD = 4_096;

export type Room = typeof ROOM;

export interface Entries {
  get(url: string): Entry | undefined;
  /** Keeps an answer. A purge that came since the service was asked, or just before, counts for it. */
  keep(entry: Pick<Entry, 'target' | 'answer' | 'tags' | 'askedAt'> & { freshMs: number }): Entry;
  remove(target: Target): void;
  /** After its bodies grew. */
  measure(entry: Entry): void;
  /** What has one of these tags is out of date; `isUntrue`: it may not be shown while the service is down, either. */
  purge(tags: readonly string[], isUntrue: boolean): void;
  /** Whether an entry was purged after its service was asked. */
  isOutdated(entry: Entry): boolean;
  /** Whether anything was purged since. What has no entry, as an event that did not exist, has no tags to be known by. */
  hasPurgedSince(time: number): boolean;
  count(): number;
  bytes(): number;
}

/** The kept answers: so many, and so many bytes, those unused for longest leaving first. */
export function openEntries(clock: () => number, room: Room = ROOM): Entries {
  const sizeCalculation = ({ answer }: Entry) => answer.bytes() + OVERHEAD;
  const plain = new LRUCache<string, Entry>({ ...room.plain, sizeCalculation });
  const withQuery = new LRUCache<string, Entry>({ ...room.withQuery, sizeCalculation });
  const roomOf = ({ hasQuery }: Target) => (hasQuery ? withQuery : plain);
  /** Tags purged of late, the latest last. */
  const purged = new Map<string, { at: number; untrueAt: number }>();
  let purgedAt = -Infinity;

  const outdate = (entry: Entry, at: number, isUntrue: boolean) => {
    entry.freshUntil = Math.min(entry.freshUntil, Math.max(at, entry.askedAt + PURGE_MS));
    if (isUntrue) entry.staleUntil = -Infinity;
  };
  const put = (entry: Entry) => {
    const { url } = entry.target;
    // What is set again without having left keeps the size it had.
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
