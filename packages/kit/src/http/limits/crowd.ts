/**
 * Who takes part of what is bounded for all, by sender. Where it is full, the oldest of the sender with most makes room:
 * a sender that fills it makes its own room, and senders with little are never sent away.
 */
export interface Crowd<One> {
  /** `weight`: how much it takes; 1 by default. Set again, it keeps its age. */
  set(one: One, sender: string, weight?: number): void;
  /** False when it was not there. */
  remove(one: One): boolean;
  has(one: One): boolean;
  /** The weight of all, or of a sender. */
  weight(sender?: string): number;
  /** Several senders may have equally much: then of the one who has been there longest. Undefined: it is empty. */
  oldestOfMost(): One | undefined;
  oldestOf(sender: string): One | undefined;
  of(sender: string): Iterable<One>;
}

interface Own<One> {
  weight: number;
  members: Map<One, number>;
}

export function crowd<One>(): Crowd<One> {
  const senders = new Map<One, string>();
  const bySender = new Map<string, Own<One>>();
  let all = 0;

  const oldestOf = (own: Own<One> | undefined): One | undefined => own?.members.keys().next().value;
  return {
    set(one, sender, weight = 1) {
      const own = bySender.get(sender) ?? { weight: 0, members: new Map<One, number>() };
      const more = weight - (own.members.get(one) ?? 0);
      senders.set(one, sender);
      bySender.set(sender, own);
      own.members.set(one, weight);
      own.weight += more;
      all += more;
    },
    remove(one) {
      const sender = senders.get(one);
      if (sender === undefined) return false;
      senders.delete(one);
      const own = bySender.get(sender)!;
      const weight = own.members.get(one)!;
      own.members.delete(one);
      own.weight -= weight;
      all -= weight;
      if (own.members.size === 0) bySender.delete(sender);
      return true;
    },
    has: (one) => senders.has(one),
    weight: (sender) => (sender === undefined ? all : (bySender.get(sender)?.weight ?? 0)),
    oldestOfMost() {
      let most: Own<One> | undefined;
      for (const own of bySender.values()) if (!most || own.weight > most.weight) most = own;
      return oldestOf(most);
    },
    oldestOf: (sender) => oldestOf(bySender.get(sender)),
    of: (sender) => bySender.get(sender)?.members.keys() ?? [],
  };
}
