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

test('a large group’s answers are handed out over turns of the event loop, and it counts as under way until the last', async () => {
  let sent = 0;
  const line = openLine(
    (questions: number[]) => {
      sent++;
      return Promise.resolve(questions);
    },
    { atOnce: 1, mostAtOnce: 1, mostTogether: 100, answersATurn: 16 },
  );
  let answered = 0;
  const each: number[] = [];
  const all = Array.from({ length: 100 }, (_, n) => line.ask(n).then((answer) => (answered++, answer)));
  const late = line.ask(100);
  for (let before = 0; answered < 100; before = answered) {
    await new Promise((resolve) => setImmediate(resolve));
    each.push(answered - before);
    if (answered < 100) expect(sent).toBeLessThanOrEqual(1);
  }
  expect(Math.max(...each)).toBe(16);
  expect(await Promise.all(all)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(await late).toBe(100);
});
