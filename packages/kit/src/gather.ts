import { Overloaded } from '@beltway/event-store';
import { isTransient } from './postgres.ts';

/** Of a kind at once: one on its way while another is answered. */
const AT_ONCE = 2;
/** Who has waited so long goes all the same: one that hangs must not keep the others waiting. */
const LATE_MS = 50;
const MOST_AT_ONCE = 8;
const MOST_TOGETHER = 100;
const MOST_WAITING = 500;

interface Waiting<Q, A> {
  question: Q;
  since: number;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/**
 * Questions to a database, or to another service, that arrive while others of their kind are under way go together in the next; a lone
 * one goes at once, and no timer holds it back; nobody waits longer than 50 ms for those before him. `ask` takes them in order and gives as many answers; the same question may come twice, and
 * at most a hundred come together. Nothing joins what was sent already, so who has just written reads what he wrote. When what goes
 * together fails for what it asks, each is asked alone: one question's fault is not the others'. Rejects with `Overloaded` when 500 wait.
 */
export function gather<S extends object, Q, A>(
  ask: (source: S, questions: Q[]) => Promise<A[]>,
): (source: S, question: Q) => Promise<A> {
  const lines = new WeakMap<S, Line<Q, A>>();
  return (source, question) => {
    let line = lines.get(source);
    if (!line) lines.set(source, (line = openLine((questions) => ask(source, questions))));
    return line(question);
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

type Line<Q, A> = (question: Q) => Promise<A>;

function openLine<Q, A>(ask: (questions: Q[]) => Promise<A[]>): Line<Q, A> {
  const queue: Array<Waiting<Q, A>> = [];
  let underWay = 0;
  let planned = false;
  let late: NodeJS.Timeout | undefined;

  /** After what arrives in the same turn has been read. */
  function soon(): void {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      while (queue.length > 0 && underWay < AT_ONCE) void send(queue.splice(0, MOST_TOGETHER));
      if (queue.length > 0) watch();
    });
  }

  function watch(): void {
    late ??= setTimeout(() => {
      late = undefined;
      const [first] = queue;
      if (first && underWay < MOST_AT_ONCE && performance.now() - first.since >= LATE_MS)
        void send(queue.splice(0, MOST_TOGETHER));
      if (queue.length > 0) watch();
    }, LATE_MS);
  }

  async function send(group: Array<Waiting<Q, A>>): Promise<void> {
    underWay++;
    try {
      await answer(group);
    } catch (error) {
      if (group.length === 1 || isTransient(error)) group.forEach(({ reject }) => reject(error));
      else for (const one of group) await answer([one]).catch(one.reject);
    }
    underWay--;
    if (queue.length > 0) soon();
  }

  async function answer(group: Array<Waiting<Q, A>>): Promise<void> {
    const answers = await ask(group.map(({ question }) => question));
    group.forEach(({ resolve }, index) => resolve(answers[index] as A));
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (queue.length >= MOST_WAITING) return reject(new Overloaded());
      queue.push({ question, since: performance.now(), resolve, reject });
      soon();
    });
}
