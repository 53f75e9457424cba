import { expect, test } from 'vitest';
import { KINDS } from './checker/evidence.ts';
import { leastPurchases, runChaos } from './run.ts';

test('twenty kills while people buy: nothing is oversold, lost, duplicated or left unsettled', async () => {
  const said: string[] = [];
  const outcome = await runChaos({
    seed: '1',
    kills: 20,
    without: null,
    engines: false,
    rush: true,
    saleRouting: true,
    keep: false,
    say: (text) => said.push(text),
  });
  expect(
    { unsettled: outcome.unsettled, examples: outcome.examples },
    [...outcome.examples.slice(0, 20), ...outcome.trail, ...outcome.unsettled, ...said].join('\n'),
  ).toEqual({
    unsettled: [],
    examples: [],
  });
  expect(outcome.violations).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, 0])));
  // Without kills and purchases, the test would prove nothing.
  expect(Object.values(outcome.hits).reduce((sum, hits) => sum + hits, 0)).toBe(20);
  expect(outcome.purchases).toBeGreaterThanOrEqual(leastPurchases(20));
  expect(outcome.promotions).toBeGreaterThan(0);
  expect(outcome.refunds).toBeGreaterThan(0);
  expect(outcome.ads).toBeGreaterThan(0);
  expect(outcome.forged).toBeGreaterThan(0);
  expect(outcome.erased).toBeGreaterThan(0);
  expect(outcome.echoes).toBeGreaterThan(0);
  expect(outcome.rushed).toBeGreaterThan(0);
});
