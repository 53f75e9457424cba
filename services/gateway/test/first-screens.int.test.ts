import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anEvent } from '@beltway/contracts/testing/events';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const HANGS = 13;
/** Ten milliseconds of work each; one event hangs. */
const CODE = `
  export const prepare = async () => undefined;
  export function render({ screen, event }) {
    const until = performance.now() + (event?.id === ${HANGS} ? 1e9 : 10);
    while (performance.now() < until);
    return '<p>Screen of ' + (event?.title ?? screen) + '</p>';
  }`;
const WAITING = 20;
const WAIT_MS = 1_000;

let gateway: TestGateway;
beforeEach(async () => {
  const limits = { waitMs: WAIT_MS, renderMs: 2_000, waiting: WAITING };
  gateway = await startGateway({}, PROXY_TIMEOUTS, undefined, undefined, undefined, undefined, undefined, limits);
  writeFileSync(join(gateway.folder, '.gateway', 'first-screens.js'), CODE);
  gateway.behind.catalog.answer = (req, res) => {
    const id = Number(/\d+$/.exec(req.url!)?.[0]);
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' };
    res.writeHead(200, headers).end(JSON.stringify(anEvent({ id, title: `Night ${id}` })));
  };
});
afterEach(() => gateway.stop());

const page = async (id: number) => {
  const answer = await gateway.get(`/event/${id}`);
  return { status: answer.status, html: await answer.text() };
};
const BARE = '<div id="root"></div>';
const screenOf = (id: number) => `<div id="root"><p>Screen of Night ${id}</p></div>`;
const untilDrawn = (id: number) => expect.poll(async () => (await page(id)).html).toContain(screenOf(id));

test('a first screen that hangs costs its page the screen, once, and other pages nothing but the wait', async () => {
  await untilDrawn(1);
  const since = performance.now();
  const hung = await page(HANGS);
  expect(performance.now() - since).toBeLessThan(WAIT_MS + 1_500);
  expect(hung.status).toBe(200);
  expect(hung.html).toContain(`<title>Night ${HANGS} · Beltway</title>`);
  expect(hung.html).toContain(BARE);
  await untilDrawn(2);
  // It is not tried again within a minute: no request waits.
  const isQuick = async () => {
    const again = performance.now();
    expect((await page(HANGS)).html).toContain(BARE);
    return performance.now() - again < WAIT_MS / 2;
  };
  // The next minute may have begun.
  expect((await isQuick()) || (await isQuick())).toBe(true);
});

test('a flood of pages that no cache has is answered, with as many first screens as there is time for, and delays no other page', async () => {
  await untilDrawn(1);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const pages = await Promise.all(Array.from({ length: 300 }, (_, at) => page(1_000 + at)));
  const { status } = await gateway.get('/api/health/live');
  delay.disable();
  expect(status).toBe(200);
  expect(new Set(pages.map((one) => one.status))).toEqual(new Set([200]));
  pages.forEach(({ html }, at) => {
    expect(html).toContain(`<title>Night ${1_000 + at} · Beltway</title>`);
    expect([BARE, screenOf(1_000 + at)].some((root) => html.includes(root))).toBe(true);
  });
  const drawn = pages.filter(({ html }) => !html.includes(BARE)).length;
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(300);
  // Each of them would have kept the loop for ten milliseconds.
  expect(delay.max / 1e6).toBeLessThan(1_000);
  // Another time there is room for it.
  await untilDrawn(1_299);
});

test('concurrent requests for one page wait for one render', async () => {
  await untilDrawn(1);
  const pages = await Promise.all(Array.from({ length: 10 * WAITING }, () => page(7)));
  expect(new Set(pages.map(({ html }) => html.includes(screenOf(7))))).toEqual(new Set([true]));
});
