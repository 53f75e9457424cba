import type { Pool } from 'pg';
import { Overloaded } from '@beltway/event-store';
import { isTransient } from './postgres.ts';

/** Statements of a kind at once: one on its way while another is run. */
const AT_ONCE = 2;
const MOST_TOGETHER = 100;
const MOST_WAITING = 500;

interface Waiting<Q, A> {
  question: Q;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/**
 * Questions to the database that arrive while others of their kind are under way go together in the next statement; a lone one goes at
 * once, and no timer holds it back. `ask` takes them in order and gives as many answers; the same question may come twice. Nothing joins a
 * statement that was sent already, so who has just written reads what he wrote. When a statement fails for what it asks, each is asked
 * alone: one question's fault is not the others'. Rejects with `Overloaded` when 500 wait.
 */
export function gather<Q, A>(
  ask: (pool: Pool, questions: Q[]) => Promise<A[]>,
): (pool: Pool, question: Q) => Promise<A> {
  const lines = new WeakMap<Pool, Line<Q, A>>();
  return (pool, question) => {
    let line = lines.get(pool);
    if (!line) lines.set(pool, (line = openLine((questions) => ask(pool, questions))));
    return line(question);
  };
}

/** Rows by a key that each has of its own; undefined: there is none. */
export function gatherByKey<K extends string | number, R>(
  read: (pool: Pool, keys: K[]) => Promise<R[]>,
  keyOf: (row: R) => K | null,
): (pool: Pool, key: K) => Promise<R | undefined> {
  return gather(async (pool, keys) => {
    const rows = new Map((await read(pool, keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => rows.get(key));
  });
}

type Line<Q, A> = (question: Q) => Promise<A>;

function openLine<Q, A>(ask: (questions: Q[]) => Promise<A[]>): Line<Q, A> {
  const queue: Array<Waiting<Q, A>> = [];
  let underWay = 0;
  let planned = false;

  /** After what arrives in the same turn has been read. */
  function soon(): void {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      while (queue.length > 0 && underWay < AT_ONCE) void send(queue.splice(0, MOST_TOGETHER));
    });
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
      queue.push({ question, resolve, reject });
      soon();
    });
}
