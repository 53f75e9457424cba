import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anEvent } from '@beltway/contracts/testing/events';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const HANGS = 13;
/**
 * Each first screen takes ten milliseconds of work, but the screen of one event hangs. Each render adds a line to two
 * files: the event and the page's minute, and the process.
 */
const CODE = `
  import { appendFileSync } from 'node:fs';
  const renders = new URL('./renders', import.meta.url);
  const renderers = new URL('./renderers', import.meta.url);
  export const prepare = async () => undefined;
  export function render({ screen, event, now }) {
    appendFileSync(renders, event?.id + ' ' + Math.floor(now / 60_000) + '\\n');
    appendFileSync(renderers, process.pid + '\\n');
    const until = performance.now() + (event?.id === ${HANGS} ? 1e9 : 10);
    while (performance.now() < until);
    return '<p>Screen of ' + (event?.title ?? screen) + '</p>';
  }`;
const WAITING = 20;

let gateway: TestGateway;
async function open(waitMs = 20_000, renderMs = 20_000) {
  const limits = { waitMs, renderMs, waiting: WAITING };
  gateway = await startGateway({}, PROXY_TIMEOUTS, undefined, undefined, undefined, undefined, undefined, limits);
  writeFileSync(join(gateway.folder, '.gateway', 'first-screens.js'), CODE);
  gateway.behind.catalog.answer = (req, res) => {
    const id = Number(/\d+$/.exec(req.url!)?.[0]);
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' };
    res.writeHead(200, headers).end(JSON.stringify(anEvent({ id, title: `Night ${id}` })));
  };
}
beforeEach(() => open());
afterEach(() => gateway.stop());

const page = async (id: number) => {
  const answer = await gateway.get(`/event/${id}`);
  return { status: answer.status, html: await answer.text() };
};
/** The minutes for which an event's first screen was rendered. */
const rendersOf = (id: number): string[] =>
  readFileSync(join(gateway.folder, '.gateway', 'renders'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${id} `) ? [line.slice(`${id} `.length)] : []));
const BARE = '<div id="root"></div>';
const screenOf = (id: number) => `<div id="root"><p>Screen of Night ${id}</p></div>`;
const untilDrawn = (id: number) => expect.poll(async () => (await page(id)).html).toContain(screenOf(id));

test('a page whose first screen hangs is sent without it, and delays other pages only up to the limit', async () => {
  await gateway.stop();
  await open(500, 6_000);
  await untilDrawn(1);
  const since = performance.now();
  const hung = await page(HANGS);
  expect(performance.now() - since).toBeLessThan(5_500);
  expect(hung.status).toBe(200);
  expect(hung.html).toContain(`<title>Night ${HANGS} · Beltway</title>`);
  expect(hung.html).toContain(BARE);
  await untilDrawn(2);
  for (let time = 0; time < 5; time++) expect((await page(HANGS)).html).toContain(BARE);
  // The failed screen is not retried within a minute. During the test the next minute may have begun.
  const minutes = rendersOf(HANGS);
  expect(minutes).toEqual([...new Set(minutes)]);
});

test('under a flood of uncached pages only some get first screens, and no other page is delayed', async () => {
  await untilDrawn(1);
  let ended = 0;
  const flood = Promise.all(Array.from({ length: 300 }, (_, at) => page(1_000 + at).finally(() => ended++)));
  const { status } = await gateway.get('/api/health/live');
  expect(status).toBe(200);
  expect(ended).toBeLessThan(300);
  const pages = await flood;
  expect(new Set(pages.map((one) => one.status))).toEqual(new Set([200]));
  pages.forEach(({ html }, at) => {
    expect(html).toContain(`<title>Night ${1_000 + at} · Beltway</title>`);
    expect([BARE, screenOf(1_000 + at)].some((root) => html.includes(root))).toBe(true);
  });
  const drawn = pages.filter(({ html }) => !html.includes(BARE)).length;
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(300);
  // If the gateway itself rendered pages, each page would block the event loop for ten milliseconds.
  const renderers = readFileSync(join(gateway.folder, '.gateway', 'renderers'), 'utf8')
    .trim()
    .split('\n');
  expect(renderers).not.toContain(String(process.pid));
  // Later the renderer has capacity for this page.
  await untilDrawn(1_299);
});

test('concurrent requests for one page share one render', async () => {
  await untilDrawn(1);
  const renders: string[][] = [];
  // On a busy machine the catalog may answer too late, and then a page has no first screen.
  await expect
    .poll(async () => {
      const id = 100 + renders.length;
      const pages = await Promise.all(Array.from({ length: 10 * WAITING }, () => page(id)));
      renders.push(rendersOf(id));
      return pages.every(({ html }) => html.includes(screenOf(id)));
    })
    .toBe(true);
  // During the test the next minute may have begun, with a page of its own.
  for (const minutes of renders) expect(minutes).toEqual([...new Set(minutes)]);
});
