import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

/** Third-party sites, each with its own origin. */
const sites: Server[] = [];
afterAll(() => sites.forEach((site) => (site.close(), site.closeAllConnections())));
async function siteWith(body: string): Promise<string> {
  const site = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    res.end(
      `<!doctype html><html lang="en"><head><title>Ann’s bar</title></head><body><h1>Ann’s bar</h1>${body}</body></html>`,
    );
  });
  sites.push(site);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
}

test('a subscribed calendar gets 304 while nothing changed, and then the cancellation', async () => {
  const { event, organizer } = await here.api.organize({ title: 'Gone Tomorrow' });
  const feed = `/api/events.ics?organizer=${organizer.user.id}`;
  const again = (etag: string | null) =>
    here.api.ask<string>('GET', feed, undefined, { headers: etag ? { 'if-none-match': etag } : {} });
  const first = await again(null);
  expect(first.body).toContain(`UID:event-${event.id}@beltway`);
  expect((await again(first.headers.get('etag'))).status).toBe(304);
  const path = `/api/events/${event.id}/cancel`;
  expect((await here.api.ask('POST', path, undefined, { token: organizer.token })).status).toBe(200);
  // A change is published within a tenth of a second (docs/architecture.md#the-response-cache).
  await expect.poll(async () => (await again(first.headers.get('etag'))).status).toBe(200);
  expect((await again(null)).body).toContain('STATUS:CANCELLED');
});

test('an organizer’s own site embeds their events at full height', async () => {
  const { event, organizer } = await here.api.organize({ title: 'Quiz & <b>Night</b> 👩🏽‍🍳' });
  const page = await here.visitor();
  const snippet = `<script async src="${here.beltway.url}/embed.js" data-search="organizer=${organizer.user.id}&amp;theme=dark"></script>`;
  await page.goto(await siteWith(snippet));

  const list = page.frameLocator('iframe');
  await list.getByText('Quiz & <b>Night</b> 👩🏽‍🍳').waitFor();
  const frame = page.locator('iframe');
  const ownHeight = () => list.locator('html').evaluate((html) => Math.ceil(html.getBoundingClientRect().height));
  await expect.poll(async () => ((await frame.boundingBox())?.height ?? 0) - (await ownHeight())).toBe(0);
  expect(await list.locator('html').getAttribute('data-theme')).toBe('dark');

  // A message from another source changes nothing.
  const before = (await frame.boundingBox())!.height;
  await page.evaluate(() => window.postMessage({ type: 'beltway-embed-height', height: 5_000 }, '*'));
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect((await frame.boundingBox())!.height).toBe(before);

  expect(await page.context().cookies()).toEqual([]);

  const opened = page.context().waitForEvent('page');
  await list.getByRole('link', { name: /Quiz/ }).click();
  const tab = await opened;
  await tab.waitForURL(`${here.beltway.url}/event/${event.id}`);
  expect(await tab.evaluate(() => window.opener as unknown)).toBeNull();
  expect(new URL(page.url()).port).not.toBe(new URL(here.beltway.url).port);
});

test('no other page can be framed by another site', async () => {
  const paths = ['/', '/auth', '/api/events', '/embed/1'];
  const frames = paths.map((path) => `<iframe title="${path}" src="${here.beltway.url}${path}"></iframe>`).join('');
  // This page has its own context, because the test expects console errors, which would fail the story elsewhere.
  const context = await here.chromium.newContext();
  const visitor = await context.newPage();
  const refused: string[] = [];
  visitor.on('console', (message) => {
    if (/frame-ancestors|X-Frame-Options/.test(message.text())) refused.push(message.text());
  });
  await visitor.goto(await siteWith(frames));
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(paths.length);
  await context.close();
});

test('the list and its dialog are accessible: sizes, themes, screen readers', async () => {
  const { organizer } = await here.api.organize({ title: 'Open Stage' });
  const list = await here.visitor();
  await list.goto(`/embed?organizer=${organizer.user.id}`);
  await list.getByText('Open Stage').waitFor();
  expect(await faultsOf(list)).toEqual([]);
});
