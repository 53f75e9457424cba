import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '@beltway/contracts/testing/events';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

/** As a browser asks again; fetch would add a header against caches. */
const again = (path: string, ...lines: string[]) =>
  gateway.raw([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'));
const noSuchEvent = () =>
  (gateway.behind.catalog.answer = (_req, res) => void res.writeHead(404).end('{"code":"not-found"}'));
const catalogHas = (change: Parameters<typeof anEvent>[0]) =>
  (gateway.behind.catalog.answer = (_req, res) =>
    void res.setHeader('content-type', 'application/json').end(JSON.stringify(anEvent(change))));

describe('the page', () => {
  test.each([
    ['/', 200],
    ['/?category=music', 200],
    ['/auth', 200],
    ['/auth/?next=%2Fmy-tickets', 200],
    ['/ticket-checkout?eventId=7', 200],
    ['/ticket-success', 200],
    ['/my-tickets', 200],
    ['/nowhere', 404],
    ['/event', 404],
    ['/event/abc', 404],
    ['/event/0', 404],
    ['/event/99999999999', 404],
    ['/event/7/x', 404],
    ['/favicon.ico', 404],
    ['/.sources', 404],
    ['/assets/../index.html', 400],
  ])('%s: %i', async (path, status) => {
    noSuchEvent();
    const answer = await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status === 400) return;
    expect(answer).toMatch(/^cache-control: no-cache\r$/im);
    expect(answer).toContain('<div id="root">');
  });

  test('is revalidated each time and has one address', async () => {
    const first = await gateway.get('/');
    expect(await again('/', `If-None-Match: ${first.headers.get('etag')}`)).toMatch(/^HTTP\/1\.1 304 /);
    const other = await gateway.get('/index.html');
    expect([other.status, other.headers.get('location')]).toEqual([301, '/']);
    const head = await fetch(`${gateway.url}/event/7`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await gateway.post('/', {})).status).toBe(404);
  });

  test('is read again after a build', async () => {
    const file = join(gateway.folder, 'index.html');
    const before = await (await gateway.get('/')).text();
    writeFileSync(file, before.replace('<body>', '<body class="new">'));
    await expect.poll(async () => (await gateway.get('/')).text()).toContain('class="new"');
    writeFileSync(file, before);
  });
});

describe('an event’s page', () => {
  test('has the event’s facts in its head, once', async () => {
    catalogHas({ id: 21, title: 'Go-Go Night', description: 'Three bands.' });
    const html = await (await gateway.get('/event/21?from=mail')).text();
    expect(html).toContain('<title>Go-Go Night · Beltway</title>');
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/name="description"/g)).toHaveLength(1);
    expect(html).toContain('<meta property="og:title" content="Go-Go Night" />');
    expect(gateway.behind.catalog.heard.map(({ url }) => url)).toEqual(['/api/events/21']);
    expect(gateway.behind.catalog.heard[0]!.headers).not.toHaveProperty('cookie');
    expect((await gateway.get('/event/21/')).status).toBe(200);
    expect(gateway.behind.catalog.heard).toHaveLength(1);
  });

  test('is 404 for an event that does not exist', async () => {
    noSuchEvent();
    const answer = await gateway.get('/event/22');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('<div id="root">');
  });

  test.each([
    ['is down', 23, (): unknown => gateway.behind.catalog.die()],
    ['fails', 24, () => (gateway.behind.catalog.answer = (_req, res) => void res.writeHead(500).end('oops'))],
    ['talks nonsense', 25, () => (gateway.behind.catalog.answer = (_req, res) => void res.end('<html>'))],
    [
      'sends elsewhere',
      26,
      () =>
        (gateway.behind.catalog.answer = (_req, res) =>
          void res.writeHead(302, { location: 'http://evil.example/' }).end()),
    ],
  ])('is served all the same when catalog %s', async (_what, id, breakIt) => {
    await breakIt();
    const answer = await gateway.get(`/event/${id}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Beltway</title>');
    if (id === 23) await gateway.behind.catalog.live();
  });

  test('does not wait for a catalog that hangs, and asks it once for concurrent requests', async () => {
    gateway.behind.catalog.answer = () => undefined;
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.get('/event/27')));
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(gateway.behind.catalog.heard).toHaveLength(1);
  });
});

describe('files', () => {
  const script = '/assets/index-a1b2.js';
  /** fetch unpacks by itself; what matters is what was sent. */
  const fetchAs = async (path: string, coding: string) => {
    const answer = await gateway.get(path, { 'accept-encoding': coding });
    return { headers: answer.headers, text: await answer.text() };
  };

  test('with a hash in their name are cached for a year, and sent compressed', async () => {
    const plain = await fetchAs(script, 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.text).toContain('far far');
    for (const coding of ['br', 'gzip'] as const) {
      const { headers, text } = await fetchAs(script, coding);
      expect(headers.get('content-encoding')).toBe(coding);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(Number(headers.get('content-length'))).toBeLessThan(200);
      expect(text).toBe(plain.text);
    }
    expect((await fetchAs(script, 'gzip, deflate, br')).headers.get('content-encoding')).toBe('br');
    expect((await fetchAs(script, 'br;q=0, gzip')).headers.get('content-encoding')).toBe('gzip');
    for (const coding of ['identity', 'br']) {
      const { headers } = await fetchAs(script, coding);
      expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('have an ETag for each coding', async () => {
    const br = (await fetchAs(script, 'br')).headers.get('etag')!;
    const gzip = (await fetchAs(script, 'gzip')).headers.get('etag')!;
    expect(br).not.toBe(gzip);
    const asked = (etag: string) => again(script, 'Accept-Encoding: br', `If-None-Match: ${etag}`);
    expect(await asked(br)).toMatch(/^HTTP\/1\.1 304 /);
    expect(await asked(gzip)).toMatch(/^HTTP\/1\.1 200 /);
    const head = await gateway.raw(
      `HEAD ${script} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`,
    );
    expect(head).toMatch(/^content-encoding: br\r$/im);
    expect(head.split('\r\n\r\n')[1]).toBe('');
  });

  test('without a hash in their name are cached for an hour, compressed or not', async () => {
    const theme = await fetchAs('/theme.js', 'br');
    expect([theme.headers.get('content-encoding'), theme.headers.get('cache-control')]).toEqual([
      'br',
      'public, max-age=3600',
    ]);
    writeFileSync(join(gateway.folder, 'new.js'), 'console.log("new");');
    const { headers, text } = await fetchAs('/new.js?v=2', 'br');
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([null, 'public, max-age=3600']);
    expect(text).toBe('console.log("new");');
  });

  test('the service worker is asked for anew each time, compressed or not, and may load from us alone', async () => {
    for (const coding of ['identity', 'br', 'gzip']) {
      const { headers } = await fetchAs('/service-worker.js', coding);
      expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
        coding === 'identity' ? null : coding,
        'no-cache',
      ]);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("worker-src 'self'");
      expect(policy).toContain("manifest-src 'self'");
      // No wider than where it lies, and that is everything.
      expect(headers.get('service-worker-allowed')).toBeNull();
    }
  });

  test('of a page are told with it, and only with it', async () => {
    const linksOf = async (path: string) => (await gateway.get(path)).headers.get('link');
    expect(await linksOf('/')).toBe('</assets/home-a1.js>; rel=modulepreload');
    const event = '</assets/event-b2.js>; rel=modulepreload, </assets/map-c3.css>; rel=preload; as=style';
    expect(await linksOf('/event/7')).toBe(event);
    for (const path of ['/tonight', '/event/x', '/constructor', '/service-worker.js'])
      expect(await linksOf(path)).toBeNull();
    // A newer build: its list holds from the next page on.
    const list = join(gateway.folder, 'page-files.json');
    const before = readFileSync(list);
    writeFileSync(list, JSON.stringify({ '/': ['/assets/home-d4.js'] }));
    utimesSync(list, new Date(), new Date(Date.now() + 5_000));
    expect(await linksOf('/')).toBe('</assets/home-d4.js>; rel=modulepreload');
    rmSync(list);
    expect(await linksOf('/')).toBeNull();
    writeFileSync(list, before);
  });

  test('without a compressed copy are sent as they are, missing ones are 404', async () => {
    const face = await fetchAs('/assets/face.woff2', 'br, gzip');
    expect(face.headers.get('content-encoding')).toBeNull();
    expect(face.headers.get('cache-control')).toContain('immutable');
    const missing = await gateway.get('/assets/index-0000.js', { 'accept-encoding': 'br' });
    expect(missing.status).toBe(404);
    expect(missing.headers.get('cache-control')).toBe('no-store');
  });
});

describe('answers of services', () => {
  let eventId = 100;
  /** An event that nothing is kept of. */
  const path = () => `/api/events/${++eventId}`;
  const long = JSON.stringify({ text: 'far '.repeat(2_000) });
  const answers = (cacheControl: string, type = 'application/json') =>
    (gateway.behind.catalog.answer = (_req, res) =>
      void res
        .writeHead(200, { 'content-type': type, 'cache-control': cacheControl, 'content-length': long.length })
        .end(long));

  test.each(['br', 'gzip'])('that are public are compressed (%s)', async (coding) => {
    answers('public, max-age=1');
    const answer = await gateway.get(path(), { 'accept-encoding': coding });
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(200);
    expect(await answer.text()).toBe(long);
  });

  test.each(['private, no-store', 'no-store', ''])('for one reader are not (%s)', async (cacheControl) => {
    answers(cacheControl);
    const answer = await gateway.get(path(), { 'accept-encoding': 'br, gzip' });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toBe(long);
  });

  test('that are compressed already are not compressed again', async () => {
    answers('public, max-age=31536000, immutable', 'image/webp');
    expect((await gateway.get(path(), { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull();
  });
});
