import type { HttpProblem } from '@beltway/kit/problems';
import type { Answer } from './ask-service.ts';
import { FRESH_MS, type Entries, type Entry } from './entries.ts';
import { representations } from './representations.ts';
import type { Target } from './target.ts';

/** An answer: from memory, just received from the service, or an old answer because the service is down. */
export interface Found {
  entry: Entry;
  by: 'hit' | 'miss' | 'stale';
}
/** `unshared`: each request must be forwarded. */
export type Outcome = Found | HttpProblem | 'unshared';

export interface LookupOptions {
  entries: Entries;
  /** Asks the service. Never rejects. */
  ask: (target: Target) => Promise<Answer>;
  clock: () => number;
}

export interface Lookup {
  /** Whether a URL turned out to have no shared answer less than a second ago. */
  isUnshared(target: Target): boolean;
  /**
   * Returns a fresh answer immediately. If there is none, asks the service, with one request for all waiting readers.
   * While the service is down, returns the last answer without waiting, as long as that answer may be served.
   */
  find(target: Target): Promise<Outcome>;
}

/** Maximum wait for a service if there is an old body to serve instead. */
export const PATIENCE_MS = 2_000;
/** Interval between retries while a service is down and an old answer is served. */
const RETRY_MS = 1_000;
/** An answer that was outdated this many times during its request is returned anyway. */
const MAX_ROUNDS = 3;
const MAX_UNSHARED = 1_000;

/** Finds answers in memory, or asks their service. */
export function openLookup({ entries, ask, clock }: LookupOptions): Lookup {
  const fetches = new Map<string, { askedAt: number; answer: Promise<Answer | Entry> }>();
  const unsharedUntil = new Map<string, number>();

  const noteUnshared = ({ url }: Target) => {
    unsharedUntil.delete(url);
    if (unsharedUntil.size >= MAX_UNSHARED) unsharedUntil.delete(unsharedUntil.keys().next().value!);
    unsharedUntil.set(url, clock() + FRESH_MS);
  };

  async function fetchNow(target: Target, askedAt: number): Promise<Answer | Entry> {
    const answer = await ask(target);
    const before = entries.get(target.url);
    if (answer.kind === 'shared') {
      const made = representations(answer.headers, answer.body);
      // If the version is unchanged, its compressed copies are kept.
      const version = before?.answer.digest === made.digest ? before.answer : made;
      return entries.keep({ target, answer: version, tags: answer.tags, askedAt, freshMs: answer.freshMs });
    }
    if (answer.kind === 'down') {
      if (before) before.retryAt = clock() + RETRY_MS;
    } else {
      entries.remove(target);
      if (answer.kind === 'unshared') noteUnshared(target);
    }
    return answer;
  }

  /** Returns the request in progress for a URL, or starts a request. */
  function fetched(target: Target): { askedAt: number; answer: Promise<Answer | Entry> } {
    const { url } = target;
    let fetch = fetches.get(url);
    if (!fetch) {
      const askedAt = clock();
      fetch = { askedAt, answer: fetchNow(target, askedAt).finally(() => fetches.delete(url)) };
      fetches.set(url, fetch);
    }
    return fetch;
  }

  /** Waits for an answer, but no longer than `PATIENCE_MS` if there is an old body to serve. */
  async function patiently(answer: Promise<Answer | Entry>, old: Entry | undefined): Promise<Answer | Entry | 'slow'> {
    if (!old) return answer;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<'slow'>((resolve) => {
      timer = setTimeout(() => resolve('slow'), PATIENCE_MS);
    });
    return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
  }

  async function find(target: Target): Promise<Outcome> {
    for (let round = 1; ; round++) {
      const known = entries.get(target.url);
      const now = clock();
      if (known && now < known.freshUntil) return { entry: known, by: round === 1 ? 'hit' : 'miss' };
      const old = known && now < known.staleUntil ? known : undefined;
      if (old?.retryAt !== undefined) {
        if (now >= old.retryAt) void fetched(target);
        return { entry: old, by: 'stale' };
      }
      const fetch = fetched(target);
      const answer = await patiently(fetch.answer, old);
      if (answer === 'slow' || ('kind' in answer && answer.kind === 'down')) {
        // The old answer may have been purged while the reader waited.
        if (old && clock() < old.staleUntil) {
          old.retryAt ??= clock() + RETRY_MS;
          return { entry: old, by: 'stale' };
        }
        if (answer !== 'slow') return answer.problem;
        continue;
      }
      if ('kind' in answer) {
        if (answer.kind !== 'problem') return 'unshared';
        // The reader joined an earlier request, and the requested thing may exist by now.
        if (round < MAX_ROUNDS && entries.hasPurgedSince(fetch.askedAt)) continue;
        return answer.problem;
      }
      if (round >= MAX_ROUNDS || clock() < answer.freshUntil || !entries.isOutdated(answer))
        return { entry: answer, by: 'miss' };
    }
  }

  return {
    find,
    isUnshared: ({ url }) => clock() < (unsharedUntil.get(url) ?? -Infinity),
  };
}
