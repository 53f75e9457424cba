import { Overloaded } from '@beltway/event-store';
import { isTransient } from '../postgres/transient.ts';
import { batcher, type Batcher } from './batcher.ts';

/** Limits per loader. A second batch may be sent while one is in progress. */
const LIMITS = { concurrency: 2, maxConcurrency: 8, maxItems: 100 };
const MAX_WAITING = 500;

/**
 * Batches concurrent lookups in a database or another service, like DataLoader: keys that arrive during a batch are
 * loaded together in the next batch, at most a hundred; a single key is loaded immediately. `load` receives keys in
 * order and returns one result per key; a batch may contain a key twice. A sent batch accepts no further keys and
 * results are not cached, so a caller reads its own writes. If a batch fails because of its keys, each key is loaded
 * alone, so that one caller's fault does not affect other callers. Rejects with `Overloaded` when 500 keys wait.
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

/** Like `batchLoader`, for rows that are found by key; undefined for a key without a row. */
export function batchLoaderByKey<Source extends object, Key extends string | number, Row>(
  read: (source: Source, keys: Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key | null,
): (source: Source, key: Key) => Promise<Row | undefined> {
  return batchLoader(async (source, keys: Key[]) => {
    const found = new Map((await read(source, keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => found.get(key));
  });
}
