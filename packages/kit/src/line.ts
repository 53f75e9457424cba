/** Who has waited so long goes all the same: one that hangs must not keep the others waiting. */
const LATE_MS = 50;

export interface LineOptions {
  /** Under way at once, while they are answered soon. */
  atOnce: number;
  /** Under way at once, while they are slow. */
  mostAtOnce: number;
  /** Questions that go together. */
  mostTogether: number;
  /** Their sum of sizes, which one question alone may exceed. */
  mostSize?: number;
  /** Answers of a group that are handed out in one turn of the event loop; the others in the turns after it. Default: all. */
  answersATurn?: number;
  /** After this fault of several that went together: is each to be asked alone? Default: all are told of it. */
  askEach?: (error: unknown) => boolean;
}

export interface Line<Q, A> {
  /** `alone`: at once and by itself, since it may take long. `size` counts towards `mostSize`. */
  ask(question: Q, alone?: boolean, size?: number): Promise<A>;
  waiting(): number;
  /** Rejects who waits with this. What is under way is answered. */
  close(why: Error): void;
}

interface Waiting<Q, A> {
  question: Q;
  size: number;
  since: number;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Questions that arrive while others are under way go together in the next `send`, which takes them in order and gives as many answers. A
 * lone question goes at once, no timer holds it back; who has waited for 50 ms goes while fewer than `mostAtOnce` are under way.
 */
export function openLine<Q, A>(send: (questions: Q[]) => Promise<A[]>, options: LineOptions): Line<Q, A> {
  const {
    atOnce,
    mostAtOnce,
    mostTogether,
    mostSize = Infinity,
    answersATurn = Infinity,
    askEach = () => false,
  } = options;
  let queue: Array<Waiting<Q, A>> = [];
  let underWay = 0;
  let next: NodeJS.Immediate | undefined;
  let late: NodeJS.Timeout | undefined;

  /** The first in the queue that fit together. */
  function nextGroup(): Array<Waiting<Q, A>> {
    let count = 0;
    let size = 0;
    while (count < queue.length && count < mostTogether) {
      size += queue[count]!.size;
      if (count > 0 && size > mostSize) break;
      count++;
    }
    return queue.splice(0, count);
  }

  /** After what arrives in the same turn has been read. */
  function soon(): void {
    next ??= setImmediate(() => {
      next = undefined;
      while (queue.length > 0 && underWay < atOnce) void go(nextGroup());
      if (queue.length > 0) watch();
    });
  }

  function watch(): void {
    late ??= setTimeout(() => {
      late = undefined;
      const [first] = queue;
      if (first && underWay < mostAtOnce && performance.now() - first.since >= LATE_MS) void go(nextGroup());
      if (queue.length > 0) watch();
    }, LATE_MS);
  }

  async function go(group: Array<Waiting<Q, A>>): Promise<void> {
    underWay++;
    try {
      await answer(group);
    } catch (error) {
      if (group.length > 1 && askEach(error)) for (const one of group) await answer([one]).catch(one.reject);
      else group.forEach(({ reject }) => reject(error));
    }
    underWay--;
    if (queue.length > 0) soon();
  }

  async function answer(group: Array<Waiting<Q, A>>): Promise<void> {
    const answers = await send(group.map(({ question }) => question));
    if (answers.length !== group.length) throw new Error(`${answers.length} answers for ${group.length} questions`);
    for (const [index, { resolve }] of group.entries()) {
      if (index > 0 && index % answersATurn === 0) await nextTurn();
      resolve(answers[index]!);
    }
  }

  return {
    ask: (question, alone = false, size = 0) =>
      new Promise((resolve, reject) => {
        const one = { question, size, since: performance.now(), resolve, reject };
        if (alone) return void go([one]);
        queue.push(one);
        soon();
      }),
    waiting: () => queue.length,
    close(why) {
      clearImmediate(next);
      clearTimeout(late);
      for (const { reject } of queue) reject(why);
      queue = [];
    },
  };
}
