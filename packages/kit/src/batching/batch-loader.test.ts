import { afterEach, describe, expect, test, vi } from 'vitest';
import { batchLoader, batchLoaderByKey } from './batch-loader.ts';

const pool = {};
const transient = () => Object.assign(new Error('the database shuts down'), { code: '57P01' });

/** A loader whose statements complete only when the test completes them. */
function lineOf(
  answer: (questions: number[]) => number[] | Promise<number[]> = (questions) => questions.map((n) => n * 2),
) {
  const sent: number[][] = [];
  const ends: Array<() => void> = [];
  const ask = batchLoader(async (_pool: object, questions: number[]) => {
    sent.push(questions);
    await new Promise<void>((resolve) => ends.push(resolve));
    return await answer(questions);
  });
  return {
    ask: (question: number) => ask(pool, question),
    sent,
    /** Completes statements in order until none is in progress. */
    async endAll() {
      for (await turn(); ends.length > 0; await turn()) ends.shift()!();
    },
  };
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

afterEach(() => void vi.useRealTimers());

describe('batchLoader', () => {
  test('lookups of one event-loop turn are batched, and each gets its own result', async () => {
    const line = lineOf();
    const answers = Promise.all([line.ask(1), line.ask(2), line.ask(2)]);
    await line.endAll();
    expect(await answers).toEqual([2, 4, 4]);
    expect(line.sent).toEqual([[1, 2, 2]]);
  });

  test('a single lookup is not delayed', async () => {
    const line = lineOf();
    const first = line.ask(1);
    await turn();
    const second = line.ask(2);
    await turn();
    expect(line.sent).toEqual([[1], [2]]);
    await line.endAll();
    expect(await Promise.all([first, second])).toEqual([2, 4]);
  });

  test('two statements run concurrently; later lookups form the next batch, at most a hundred', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] }); // so that no item becomes late
    const line = lineOf();
    const answers: Array<Promise<number>> = [line.ask(1)];
    await turn();
    answers.push(line.ask(2));
    await turn();
    for (let n = 3; n < 153; n++) {
      answers.push(line.ask(n));
      if (n % 10 === 0) await turn();
    }
    expect(line.sent.length).toBe(2);
    await line.endAll();
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 152 }, (_, n) => (n + 1) * 2));
    expect(line.sent.map((group) => group.length)).toEqual([1, 1, 100, 50]);
  });

  test('hanging requests do not block other requests for long', async () => {
    const line = lineOf();
    const hanging = [line.ask(1)];
    await turn();
    hanging.push(line.ask(2));
    await turn();
    const others = [line.ask(3), line.ask(4)];
    await vi.waitFor(() => expect(line.sent).toEqual([[1], [2], [3, 4]]), { timeout: 5_000 });
    await line.endAll();
    expect(await Promise.all([...hanging, ...others])).toEqual([2, 4, 6, 8]);
  });

  test('a failing lookup does not make the other lookups of its batch fail', async () => {
    const line = lineOf((questions) => {
      if (questions.includes(2)) throw new Error('2 cannot be asked');
      return questions.map((n) => n * 2);
    });
    const answers = Promise.allSettled([line.ask(1), line.ask(2), line.ask(3)]);
    await line.endAll();
    expect(await answers).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('2 cannot be asked') },
      { status: 'fulfilled', value: 6 },
    ]);
  });

  test('a database fault rejects every lookup of its batch, and each may be repeated', async () => {
    let down = true;
    const line = lineOf((questions) => {
      if (down) throw transient();
      return questions;
    });
    const answers = Promise.allSettled([line.ask(1), line.ask(2)]);
    await line.endAll();
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(line.sent).toEqual([[1, 2]]);
    down = false;
    const again = line.ask(1);
    await line.endAll();
    expect(await again).toBe(1);
  });

  test('the queue is bounded', async () => {
    const line = lineOf();
    const answers = Promise.allSettled(Array.from({ length: 501 }, (_, n) => line.ask(n)));
    await line.endAll();
    expect((await answers).filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ name: 'Overloaded' }) },
    ]);
  });

  test('each database has its own queue', async () => {
    const asked: object[] = [];
    const ask = batchLoader((of: object, questions: number[]) => {
      asked.push(of);
      return Promise.resolve(questions);
    });
    const other = {};
    expect(await Promise.all([ask(pool, 1), ask(other, 2)])).toEqual([1, 2]);
    expect(asked).toEqual([pool, other]);
  });
});

test('batchLoaderByKey returns the row of each key, or undefined, in any order of rows', async () => {
  const find = batchLoaderByKey(
    (_pool: object, keys: string[]) =>
      Promise.resolve(
        [...new Set(keys)]
          .filter((key) => key !== 'c')
          .sort()
          .map((key) => ({ key })),
      ),
    ({ key }) => key,
  );
  const keys = ['b', 'c', 'a', 'b'];
  expect(await Promise.all(keys.map((key) => find(pool, key)))).toEqual([
    { key: 'b' },
    undefined,
    { key: 'a' },
    { key: 'b' },
  ]);
});
