import { Overloaded } from '@beltway/event-store';
import { isTransient } from '../postgres/transient.ts';
import { batcher, type Batcher } from './batcher.ts';

/** Of each loader: one batch is sent while another one is answered. */
const LIMITS = { concurrency: 2, maxConcurrency: 8, maxItems: 100 };
const MAX_WAITING = 500;

/**
 * Batches concurrent look-ups in a database or another service, as DataLoader does: keys that arrive while a batch is under way are
 * loaded together in the next one, at most a hundred; a single one is loaded at once. `load` takes them in order and gives as many
 * results; a key may be in a batch twice. A key is never added to a batch that was sent already, and nothing is cached, so a caller
 * that has just written reads its own write. When a batch fails because of what it asks, each key is loaded by itself: one caller's
 * fault is not the others'. Rejects with `Overloaded` when 500 wait.
 */
export function batchLoader<Source extends object, Key, Result>(
  load: (source: Source, keys: Key[]) => Promise<Result[]>,
): (source: Source, key: Key) => Promise<Result> {
  const batchers = new WeakMap<Source, Batcher<Key, Result>>();
  const open = (source: Source): Batcher<Key, Result> => {
    const retryEach = (error: unknown) => !isTransient(error);
    const opened = batcher((keys: Key[]) => load(source, keys), { ...LIMITS, retryEach });
    batchers.set(source, opened);
    return opened;
  };
  return async (source, key) => {
    const loads = batchers.get(source) ?? open(source);
    if (loads.waiting() >= MAX_WAITING) throw new Overloaded();
    return loads.add(key);
  };
}

/** The same for rows that are found by a key of theirs; undefined where there is none. */
export function batchLoaderByKey<Source extends object, Key extends string | number, Row>(
  read: (source: Source, keys: Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key | null,
): (source: Source, key: Key) => Promise<Row | undefined> {
  return batchLoader(async (source, keys: Key[]) => {
    const found = new Map((await read(source, keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => found.get(key));
  });
}
