/** Reproducible random numbers: the same seed gives the same numbers. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number, both bounds included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
  /** Picks an element. An element with twice the weight is picked twice as often. */
  weighed<T>(list: ReadonlyArray<readonly [weight: number, what: T]>): T;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

/**
 * Mulberry32 on a hash of the seed: small, and good enough for choices. Each seed text, such as `1:wish:7`, gives an
 * independent sequence.
 */
export function random(seed: string): Random {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[int(0, list.length - 1)]!;
    },
    chance: (share) => next() < share,
    weighed: (list) => {
      let rest = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, what] of list) if ((rest -= weight) < 0) return what;
      return list.at(-1)![1];
    },
  };
}
