import { Overloaded } from '@beltway/event-store';
import { openLine, type Line } from './line.ts';
import { isTransient } from './postgres.ts';

/** Of a kind: one on its way while another is answered. */
const LIMITS = { atOnce: 2, mostAtOnce: 8, mostTogether: 100 };
const MOST_WAITING = 500;

/**
 * Questions to a database, or to another service, that arrive while others of their kind are under way go together in the next, at most a
 * hundred; a lone one goes at once (`openLine`). `ask` takes them in order and gives as many answers; the same question may come twice.
 * Nothing joins what was sent already, so who has just written reads what he wrote. When what goes together fails for what it asks, each is
 * asked alone: one question's fault is not the others'. Rejects with `Overloaded` when 500 wait.
 */
export function gather<S extends object, Q, A>(
  ask: (source: S, questions: Q[]) => Promise<A[]>,
): (source: S, question: Q) => Promise<A> {
  const lines = new WeakMap<S, Line<Q, A>>();
  const open = (source: S): Line<Q, A> => {
    const askEach = (error: unknown) => !isTransient(error);
    const line = openLine((questions: Q[]) => ask(source, questions), { ...LIMITS, askEach });
    lines.set(source, line);
    return line;
  };
  return async (source, question) => {
    const line = lines.get(source) ?? open(source);
    if (line.waiting() >= MOST_WAITING) throw new Overloaded();
    return line.ask(question);
  };
}

/** What has a key of its own, by it; undefined: there is none. */
export function gatherByKey<S extends object, K extends string | number, R>(
  read: (source: S, keys: K[]) => Promise<R[]>,
  keyOf: (found: R) => K | null,
): (source: S, key: K) => Promise<R | undefined> {
  return gather(async (source, keys: K[]) => {
    const found = new Map((await read(source, keys)).map((one) => [keyOf(one), one]));
    return keys.map((key) => found.get(key));
  });
}
