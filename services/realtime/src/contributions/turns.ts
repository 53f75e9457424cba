import { unavailable } from '@beltway/kit/problems';

/** Maximum length of the queue of one key. */
const MAX_WAITING = 50;

/** Runs all work of the same key in sequence. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs the work of each key in order, one piece of work at a time in this process. Many writers to one event then use
 * one database connection and leave the other connections free. If 50 pieces of work wait, throws 503 immediately.
 */
export function openTurns(): Turns {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length > MAX_WAITING) throw unavailable('many-write');
    queues.set(key, queue);
    queue.length++;
    const turn = queue.last.then(work);
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(key);
    }
  };
}
