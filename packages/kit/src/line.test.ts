import { expect, test } from 'vitest';
import { openLine } from './line.ts';

test('what waits goes together up to a sum of sizes; what is larger than that goes by itself', async () => {
  const sent: string[][] = [];
  const ends: Array<() => void> = [];
  const line = openLine(
    async (questions: string[]) => {
      sent.push(questions);
      await new Promise<void>((resolve) => ends.push(resolve));
      return questions;
    },
    { atOnce: 1, mostAtOnce: 1, mostTogether: 10, mostSize: 100 },
  );
  const answers = [60, 40, 1, 500, 30, 30].map((size, n) => line.ask(`${n}:${size}`, false, size));
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  for (await turn(); ends.length > 0; await turn()) ends.shift()!();
  expect(await Promise.all(answers)).toHaveLength(6);
  expect(sent).toEqual([['0:60', '1:40'], ['2:1'], ['3:500'], ['4:30', '5:30']]);
});
