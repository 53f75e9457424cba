import { expect, test } from 'vitest';
import { openTurns } from './turns.ts';

/** How many steps were taken before each further turn of the loop, until all were. */
async function stepsByTurn(turns: ReturnType<typeof openTurns>, count: number): Promise<number[]> {
  let taken = 0;
  const order: number[] = [];
  const all = Array.from({ length: count }, async (_, n) => {
    await turns.next();
    order.push(n);
    taken++;
  });
  const seen: number[] = [];
  while (taken < count) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(taken);
  }
  await Promise.all(all);
  expect(order).toEqual(Array.from({ length: count }, (_, n) => n));
  return seen;
}

test('a crowd’s steps are spread over turns of the event loop, in order, and what else there is comes between them', async () => {
  const seen = await stepsByTurn(openTurns(16), 100);
  const each = seen.map((taken, turn) => taken - (seen[turn - 1] ?? 0));
  expect(Math.max(...each)).toBeLessThanOrEqual(16);
  expect(seen.at(-1)).toBe(100);
});

test('who comes while others wait stands behind them; who comes alone waits for nobody', async () => {
  const turns = openTurns(2);
  expect(await stepsByTurn(turns, 5)).toHaveLength(3);
  expect(turns.waiting()).toBe(0);
  expect(await stepsByTurn(turns, 1)).toHaveLength(1);
});
