import { expect, test } from 'vitest';
import { batcher } from './batcher.ts';

test('waiting items are batched up to a total size; a larger item is sent alone', async () => {
  const sent: string[][] = [];
  const ends: Array<() => void> = [];
  const batches = batcher(
    async (items: string[]) => {
      sent.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items;
    },
    { concurrency: 1, maxConcurrency: 1, maxItems: 10, maxSize: 100 },
  );
  const answers = [60, 40, 1, 500, 30, 30].map((size, n) => batches.add(`${n}:${size}`, false, size));
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  for (await turn(); ends.length > 0; await turn()) ends.shift()!();
  expect(await Promise.all(answers)).toHaveLength(6);
  expect(sent).toEqual([['0:60', '1:40'], ['2:1'], ['3:500'], ['4:30', '5:30']]);
});

test('results of a large batch are delivered over several turns; the batch ends with the last result', async () => {
  let sent = 0;
  const batches = batcher(
    (items: number[]) => {
      sent++;
      return Promise.resolve(items);
    },
    { concurrency: 1, maxConcurrency: 1, maxItems: 100, resultsPerTurn: 16 },
  );
  let answered = 0;
  const each: number[] = [];
  const all = Array.from({ length: 100 }, (_, n) => batches.add(n).then((answer) => (answered++, answer)));
  const late = batches.add(100);
  for (let before = 0; answered < 100; before = answered) {
    await new Promise((resolve) => setImmediate(resolve));
    each.push(answered - before);
    if (answered < 100) expect(sent).toBeLessThanOrEqual(1);
  }
  expect(Math.max(...each)).toBe(16);
  expect(await Promise.all(all)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(await late).toBe(100);
});
