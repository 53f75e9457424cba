/// <reference lib="dom" />
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './support/wait.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';

import { apiOf } from './support/api.ts';
import { startBeltway, type Beltway } from './support/beltway.ts';
import { browser } from './support/browser.ts';
import { codes, fillCard, fillDetails, pay, register } from './support/pages.ts';
import { descendants, isAlive, runningOnFolder } from './support/processes.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'beltway-restart-'));
let chromium: Browser;
let beltway: Beltway | undefined;
beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  await chromium?.close();
  await beltway?.stop();
  for (const pid of runningOnFolder(dataDir)) process.kill(pid, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test('after a restart and after a crash, all data still exists and no old process runs', async () => {
  onTestFailed(() => console.log(beltway?.output()));
  beltway = await startBeltway({ dataDir });
  const port = Number(new URL(beltway.url).port);
  const api = apiOf(beltway.url);
  const context = await chromium.newContext({ baseURL: beltway.url });
  context.setDefaultTimeout(40_000);
  const page = await context.newPage();

  await register(page, 'Rita Again', 'rita@example.test');
  const { event } = await api.organize({ title: 'Still On', totalTickets: 20 });
  const bought = await api.buy(event.id, 3, 'gail@example.test');
  const held = await api.hold(event.id, 4);
  await page.goto(`/ticket-checkout?eventId=${event.id}`);
  await fillDetails(page, 'Rita Again', 'rita@example.test', 2);

  const before = [beltway.pid, ...descendants(beltway.pid)];
  expect(before.length).toBeGreaterThan(8);
  const since = Date.now();
  expect(await beltway.stop()).toBe(0);
  expect(Date.now() - since).toBeLessThan(30_000);
  await eventually(() => !before.some(isAlive), { what: 'nothing of the first run is alive' });
  expect(runningOnFolder(dataDir)).toEqual([]);

  beltway = await startBeltway({ dataDir, port });
  expect((await api.order(bought)).tickets).toHaveLength(3);
  expect((await api.order(held)).status).toBe('held');
  expect(await api.stock(event.id)).toMatchObject({ sold: 3, held: 6 });
  // The mail may still have been queued when the first run stopped.
  await expect.poll(async () => (await api.mailsTo('gail@example.test')).length).toBe(1);

  // The page stayed open: session and hold are intact, and the purchase continues.
  await fillCard(page);
  await pay(page);
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await page.evaluate(() => localStorage.removeItem('beltway.token'));
  const renewed = await page.evaluate(async () => {
    const answer = await fetch('/api/auth/refresh', { method: 'POST', headers: { 'x-requested-with': 'beltway' } });
    return { status: answer.status, session: (await answer.json()) as { token: string; user: { email: string } } };
  });
  expect(renewed).toMatchObject({ status: 200, session: { user: { email: 'rita@example.test' } } });

  // A power failure: the launcher, every service, PostgreSQL and its watchdog are killed simultaneously.
  const killed = [...new Set([beltway.pid, ...descendants(beltway.pid), ...runningOnFolder(dataDir)])];
  // The watchdog may end one of these processes first.
  for (const pid of killed) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await beltway.kill();
  await eventually(() => !killed.some(isAlive), { what: 'nothing of the second run is alive' });

  beltway = await startBeltway({ dataDir, port });
  expect(await api.stock(event.id)).toMatchObject({ sold: 5, held: 4 });
  expect((await api.order(held)).status).toBe('held');
  const { token } = renewed.session;
  expect(await api.call<unknown[]>('GET', '/api/tickets/my-tickets', undefined, { token })).toHaveLength(2);
  await page.evaluate((key) => localStorage.setItem('beltway.token', key), token);
  await page.goto('/my-tickets');
  await page.getByRole('heading', { name: 'Still On' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  expect(await api.invariants()).toMatchObject({ ok: true });

  // Only the launcher is killed, and its children end automatically.
  const last = descendants(beltway.pid);
  await beltway.kill();
  await eventually(() => !last.some(isAlive) && runningOnFolder(dataDir).length === 0, {
    timeoutMs: 60_000,
    what: 'nothing outlives its launcher',
  });
  beltway = undefined;
});
