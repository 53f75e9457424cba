/** Calls per room, at most one in each interval. */
export interface RoomThrottle {
  /** Resolves when the call that got these numbers has ended. */
  add(room: string, seqs: Iterable<number>): Promise<void>;
  stop(): void;
}

interface Interval {
  /** For the call at its end. */
  seqs: Set<number>;
  timer: ReturnType<typeof setTimeout>;
  ended: PromiseWithResolvers<void>;
}

/**
 * Calls `run` immediately when its last call for the room is longer ago than `ms`. Numbers that arrive within the interval are
 * passed together at its end, each once.
 */
export function throttlePerRoom(ms: number, run: (room: string, seqs: number[]) => Promise<void> | void): RoomThrottle {
  const intervals = new Map<string, Interval>();

  async function runAndWait(room: string, seqs: number[]): Promise<void> {
    const interval: Interval = {
      seqs: new Set(),
      ended: Promise.withResolvers(),
      timer: setTimeout(() => {
        intervals.delete(room);
        interval.ended.resolve(interval.seqs.size > 0 ? runAndWait(room, [...interval.seqs]) : undefined);
      }, ms),
    };
    intervals.set(room, interval);
    await run(room, seqs);
  }

  return {
    add: (room, seqs) => {
      const interval = intervals.get(room);
      if (!interval) return runAndWait(room, [...new Set(seqs)]);
      for (const seq of seqs) interval.seqs.add(seq);
      return interval.ended.promise;
    },
    stop: () => {
      for (const { timer, ended } of intervals.values()) {
        clearTimeout(timer);
        ended.resolve();
      }
      intervals.clear();
    },
  };
}
