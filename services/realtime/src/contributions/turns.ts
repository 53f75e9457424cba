import { unavailable } from '@beltway/kit/problems';

/** Who waits for one key at most. */
const MAX_WAITING = 50;

/** Runs what has one key one after the other. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * One piece of work of a key at a time in this process, in their order: so many who write to one event take one database connection and
 * leave the others alone. Throws 503 at once when 50 wait.
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
