/** Calls a function for each room, at most once in each interval. */
export interface RoomThrottle {
  /** Resolves when the call with these numbers has ended. */
  add(room: string, seqs: Iterable<number>): Promise<void>;
  stop(): void;
}

interface Interval {
  /** The numbers for the call at the end of the interval. */
  seqs: Set<number>;
  timer: ReturnType<typeof setTimeout>;
  ended: PromiseWithResolvers<void>;
}

/**
 * Calls `run` immediately if its last call for the room was more than `ms` ago. Numbers that arrive within the interval
 * are passed together at the end of the interval, each once.
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
