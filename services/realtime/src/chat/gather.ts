export interface Gatherer {
  add(room: string, seqs: Iterable<number>): void;
  stop(): void;
}

/** Gives numbers of messages of a room at once when it was quiet for `ms`; those that follow are gathered for so long, each once. */
export function gather(ms: number, give: (room: string, seqs: number[]) => void): Gatherer {
  const rooms = new Map<string, { seqs: Set<number>; timer: ReturnType<typeof setTimeout> }>();

  function pass(room: string, seqs: number[]): void {
    const timer = setTimeout(() => {
      const gathered = rooms.get(room)!.seqs;
      rooms.delete(room);
      if (gathered.size > 0) pass(room, [...gathered]);
    }, ms);
    rooms.set(room, { seqs: new Set(), timer });
    give(room, seqs);
  }

  return {
    add: (room, seqs) => {
      const known = rooms.get(room);
      if (!known) return pass(room, [...new Set(seqs)]);
      for (const seq of seqs) known.seqs.add(seq);
    },
    stop: () => {
      for (const { timer } of rooms.values()) clearTimeout(timer);
      rooms.clear();
    },
  };
}
