import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClientLedger, readClientLedger } from './load/client-ledger.ts';
import { ENDS, nightPlan, PROMOTION_ENDS, REPEATS, attemptOf } from './load/plan.ts';
import { eventually } from '@beltway/kit/testing';
import { isAlive } from '../scripts/launcher/processes/processes.ts';
import { readOptions } from './options.ts';
import { random } from './random.ts';
import { startBurners } from './restarts/burners.ts';
import { EMBEDDED, killPlan } from './system/kills.ts';

const attempts = (seed: string, count = 500) => Array.from({ length: count }, (_, n) => attemptOf(seed, n, 10));

test('the same seed plans the same run, and another seed plans another run', () => {
  expect(attempts('1')).toEqual(attempts('1'));
  expect(killPlan('1', 50, EMBEDDED)).toEqual(killPlan('1', 50, EMBEDDED));
  expect(nightPlan('1', 2)).toEqual(nightPlan('1', 2));
  expect(attempts('1')).not.toEqual(attempts('2'));
  expect(killPlan('1', 50, EMBEDDED)).not.toEqual(killPlan('2', 50, EMBEDDED));
});

test('attempts include every kind, 1 to 10 tickets, members and guests', () => {
  const all = attempts('7');
  expect(new Set(all.map(({ quantity }) => quantity)).size).toBe(10);
  expect(new Set(all.map(({ end }) => end)).size).toBe(ENDS.length);
  expect(new Set(all.map(({ repeat }) => repeat)).size).toBe(REPEATS.length);
  expect(all.some(({ member }) => member === null) && all.some(({ member }) => member !== null)).toBe(true);
  expect(new Set(all.map(({ sale }) => sale)).size).toBe(5);
});

test('a night has a sale that is canceled and a sale that grows', () => {
  const sales = nightPlan('3', 0);
  expect(sales.filter(({ canceledAt }) => canceledAt !== null)).toHaveLength(1);
  for (const { growsAt, growsTo, capacity } of sales) if (growsAt !== null) expect(growsTo).toBeGreaterThan(capacity);
});

test('promotions of every level are bought with every outcome, even around the cancellation of their event', () => {
  const sales = Array.from({ length: 20 }, (_, night) => nightPlan('3', night)).flat();
  const all = sales.flatMap(({ promotions }) => promotions);
  expect(new Set(all.map(({ level }) => level)).size).toBe(3);
  expect(new Set(all.map(({ end }) => end)).size).toBe(PROMOTION_ENDS.length);
  for (const { canceledAt, promotions } of sales)
    for (const { at } of promotions) if (canceledAt !== null) expect(at).toBeLessThanOrEqual(canceledAt);
});

test('ads of every package are bought with every outcome', () => {
  const all = Array.from({ length: 20 }, (_, night) => nightPlan('3', night)).flatMap((sales) =>
    sales.flatMap(({ ads }) => ads),
  );
  expect(new Set(all.map(({ packageId }) => packageId)).size).toBe(8);
  expect(new Set(all.map(({ end }) => end)).size).toBe(PROMOTION_ENDS.length);
});

test('a short run of kills hits most targets, and as many kills as processes hit every target', () => {
  const of = (count: number) => new Set(killPlan('1', count, EMBEDDED).map(({ target }) => target));
  const pack = EMBEDDED.reduce((sum, [copies]) => sum + copies, 0);
  expect(of(pack).size).toBe(EMBEDDED.length);
  expect(of(20).size).toBeGreaterThan(EMBEDDED.length / 2);
  for (const { after } of killPlan('1', 200, EMBEDDED)) {
    expect(after).toBeGreaterThanOrEqual(100);
    expect(after).toBeLessThanOrEqual(900);
  }
});

test('random numbers are evenly distributed', () => {
  const { int } = random('even');
  const seen = Array.from({ length: 10_000 }, () => int(0, 9));
  for (let value = 0; value < 10; value++) {
    const share = seen.filter((one) => one === value).length / seen.length;
    expect(Math.abs(share - 0.1)).toBeLessThan(0.02);
  }
});

test('the ledger keeps each request, even a request whose outcome is unknown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-ledger-'));
  try {
    const ledger = openClientLedger(join(folder, 'ledger.jsonl'));
    const first = ledger.ask({ call: 'hold', key: 'a', eventId: 1, quantity: 2, to: 'gateway' });
    ledger.ask({ call: 'hold', key: 'b', eventId: 1, quantity: 3, to: 'gateway' });
    first({ outcome: 'acknowledged', status: 201, orderId: 'x' });
    ledger.ask({ call: 'forge', key: 'c', to: 'gateway' })({ outcome: 'refused', status: 400 });
    expect(ledger.counts()).toEqual({ requests: 3, acknowledged: { hold: 1 }, refused: { forge: 1 } });
    expect(readClientLedger(ledger.file)).toMatchObject([
      { n: 1, key: 'a', quantity: 2, orderId: 'x', outcome: 'acknowledged', answeredAt: expect.any(Number) },
      { n: 2, key: 'b', outcome: 'unknown', answeredAt: null },
      { n: 3, key: 'c', outcome: 'refused', status: 400 },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('burners end when they are stopped, and automatically after their maximum time', async () => {
  const stopped = startBurners(60_000);
  const alone = startBurners(10);
  expect(stopped.pids.every(isAlive)).toBe(true);
  await stopped.stop();
  await eventually(() => [...stopped.pids, ...alone.pids].every((pid) => !isAlive(pid)), { what: 'the end of all' });
});

test('the command line is parsed, and unknown options are refused', () => {
  expect(readOptions([])).toMatchObject({ seed: '1', kills: 100, without: null, restarts: false, engines: false });
  expect(readOptions(['--kills', '20', '--seed', '7', '--without', 'fence'])).toMatchObject({
    kills: 20,
    seed: '7',
    without: 'fence',
  });
  expect(readOptions(['--only', 'restarts'])).toMatchObject({ restarts: true, besideLoad: false });
  expect(readOptions(['--only', 'chat'])).toMatchObject({ chat: true, restarts: false, kills: 20 });
  expect(readOptions(['--only', 'restarts', '--beside-load'])).toMatchObject({ restarts: true, besideLoad: true });
  for (const wrong of [['--beside-load'], ['--kills', 'many'], ['--without', 'care'], ['--only', 'luck'], ['--more']])
    expect(() => readOptions(wrong)).toThrow(/npm run chaos/);
});
