/**
 * Users of a bounded resource, grouped by sender. When the resource is full, the oldest entry of the sender with the
 * most entries is evicted. So a sender that fills the resource loses only its own entries, and senders with few entries
 * are not affected.
 */
export interface Crowd<One> {
  /** `weight`: the size of the entry; default 1. Setting an entry again keeps its age. */
  set(one: One, sender: string, weight?: number): void;
  /** Returns false if the entry was missing. */
  remove(one: One): boolean;
  has(one: One): boolean;
  /** The total weight of all entries, or of one sender's entries. */
  weight(sender?: string): number;
  /**
   * The oldest entry of the sender with the most weight. Among senders with equal weight, the sender that has been
   * present longest is chosen. Undefined if there are no entries.
   */
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
