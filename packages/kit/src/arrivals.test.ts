import { expect, test } from 'vitest';
import { arrivals } from './arrivals.ts';

const time = { now: 0 };
const mayArrive = (newest = 500) => {
  time.now = Date.parse('2026-12-01T12:00:00Z');
  return arrivals({ newest: async () => newest, clock: () => new Date(time.now) });
};

test('an id near the newest id may arrive for ten seconds; afterwards it counts as nonexistent', async () => {
  const unknown = mayArrive();
  expect(await unknown(501)).toBe(true);
  time.now += 9_999;
  expect(await unknown(501)).toBe(true);
  time.now += 1;
  expect(await unknown(501)).toBe(false);
  expect(await unknown(502)).toBe(true);
});

test('an id that did not exist counts as new again after a minute', async () => {
  const unknown = mayArrive();
  await unknown(501);
  time.now += 60_000;
  expect(await unknown(501)).toBe(true);
});

test.each([1_501, 2_000_000_000])('id %i is too far from the newest id to be in transit', async (id) =>
  expect(await mayArrive()(id)).toBe(false),
);

test('an older id may arrive after a newer id, because each key has its own order', async () =>
  expect(await mayArrive()(480)).toBe(true));

test('remembers a bounded number of ids', async () => {
  const unknown = mayArrive(0);
  await unknown(1);
  time.now += 20_000;
  // Ids near the newest id, which increases.
  let newest = 0;
  const moving = arrivals({ newest: async () => newest, clock: () => new Date(time.now) });
  expect(await moving(1)).toBe(true);
  for (newest = 1_000; newest < 12_000; newest++) await moving(newest);
  time.now += 20_000;
  newest = 1;
  expect(await moving(1)).toBe(true);
  expect(await unknown(1)).toBe(false);
});
