import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Hold } from '@beltway/contracts/ticketing/tickets';
import { expect, test } from 'vitest';
import { stage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const HOLD_SECONDS = 40;
const here = stage({
  env: {
    BELTWAY_REPLICAS: 'ticketing:2',
    HOLD_MINUTES: String(HOLD_SECONDS / 60),
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'support', 'hour-ahead.ts')).href}`,
  },
});

/** Returns an instance's time, from the last line of its log. */
function believes(name: string): number {
  const lines = readFileSync(join(here.beltway.dataDir, 'logs', `${name}.log`), 'utf8')
    .trim()
    .split('\n');
  const times = lines.flatMap((line) =>
    line.startsWith('{') ? [Date.parse((JSON.parse(line) as { time: string }).time)] : [],
  );
  return times.at(-1)!;
}

test('two instances of ticketing with clocks an hour apart: a hold lasts equally long on both, and lapses once', async () => {
  const events = [];
  for (let n = 0; n < 6; n++) events.push((await here.api.organize({ title: `What Time Is It ${n}` })).event);
  const ahead = believes('ticketing-2') - believes('ticketing');
  expect(Math.abs(ahead)).toBeGreaterThan(3_500_000);

  const holds: Hold[] = [];
  for (const event of events) {
    const asked = Date.now();
    const hold = await here.api.call<Hold>('POST', '/api/holds', { eventId: event.id, quantity: 2 });
    const lasts = (Date.parse(hold.holdUntil) - asked) / 1_000;
    expect(lasts).toBeGreaterThan(HOLD_SECONDS - 1);
    expect(lasts).toBeLessThan(HOLD_SECONDS + 60);
    holds.push(hold);
  }
  // Both instances check for lapsed holds about every second. The instance whose clock is ahead would have released
  // them by now.
  await pause(5_000);
  const orders = await Promise.all(holds.map((hold) => here.api.order(hold)));
  for (const { status } of orders) expect(status).toBe('held');
  for (const hold of holds)
    await eventually(async () => (await here.api.order(hold)).status === 'expired', { timeoutMs: 90_000 });
  for (const { id, totalTickets } of events)
    expect(await here.api.stock(id)).toMatchObject({ held: 0, sold: 0, capacity: totalTickets });
});
