export interface Gatherer {
  /** Resolves when these were given, and what was done with them has ended. */
  add(room: string, seqs: Iterable<number>): Promise<void>;
  stop(): void;
}

interface Gathered {
  seqs: Set<number>;
  timer: ReturnType<typeof setTimeout>;
  given: PromiseWithResolvers<void>;
}

/** Gives numbers of messages of a room at once when it was quiet for `ms`; those that follow are gathered for so long, each once. */
export function gather(ms: number, give: (room: string, seqs: number[]) => Promise<void> | void): Gatherer {
  const rooms = new Map<string, Gathered>();

  async function pass(room: string, seqs: number[]): Promise<void> {
    const gathered: Gathered = {
      seqs: new Set(),
      given: Promise.withResolvers(),
      timer: setTimeout(() => {
        rooms.delete(room);
        gathered.given.resolve(gathered.seqs.size > 0 ? pass(room, [...gathered.seqs]) : undefined);
      }, ms),
    };
    rooms.set(room, gathered);
    await give(room, seqs);
  }

  return {
    add: (room, seqs) => {
      const gathered = rooms.get(room);
      if (!gathered) return pass(room, [...new Set(seqs)]);
      for (const seq of seqs) gathered.seqs.add(seq);
      return gathered.given.promise;
    },
    stop: () => {
      for (const { timer, given } of rooms.values()) {
        clearTimeout(timer);
        given.resolve();
      }
      rooms.clear();
    },
  };
}
