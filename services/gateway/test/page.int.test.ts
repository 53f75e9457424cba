import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Organizer } from '@beltway/contracts/catalog/organizers';
import { anEvent } from '@beltway/contracts/testing/events';
import { buildFirstScreens, startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await buildFirstScreens(gateway.folder);
  // Loads the renderer's code first. On a busy machine that takes longer than the second for which answers are cached.
  await gateway.get('/auth');
});
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

/** Revalidates like a browser. fetch would add a header that bypasses caches. */
const again = (path: string, ...lines: string[]) =>
  gateway.raw([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'));
const PUBLIC = { 'content-type': 'application/json', 'cache-control': 'public, max-age=1' };
const noSuchEvent = () =>
  (gateway.behind.catalog.answer = (_req, res) =>
    void res
      .writeHead(404, { 'content-type': 'application/problem+json' })
      .end('{"code":"not-found","detail":"This event does not exist."}'));
const catalogHas = (change: Parameters<typeof anEvent>[0]) =>
  (gateway.behind.catalog.answer = (_req, res) =>
    void res
      .writeHead(200, { ...PUBLIC, 'cache-tag': `event-${change?.id ?? 7}` })
      .end(JSON.stringify(anEvent(change))));

describe('the page', () => {
  test.each([
    ['/', 200],
    ['/?category=music', 200],
    ['/auth', 200],
    ['/auth/?next=%2Fmy-tickets', 200],
    ['/ticket-checkout?eventId=7', 200],
    ['/ticket-success', 200],
    ['/checkout?level=premium&eventId=7', 200],
    ['/checkout/success?payment_intent=pi_123456', 200],
    ['/checkout/other', 404],
    ['/livestream-checkout?eventId=7', 200],
    ['/my-tickets', 200],
    ['/saved', 200],
    ['/community/questions', 200],
    ['/community/questions/7', 200],
    ['/community/posts', 404],
    ['/studio/7', 200],
    ['/studio/none', 404],
    ['/following', 200],
    ['/organizer/abc', 404],
    ['/organizer/99999999999', 404],
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

  test('is revalidated each time and has one URL', async () => {
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
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('<body>', '<body class="new">'));
    await expect.poll(async () => (await gateway.get('/')).text()).toContain('class="new"');
    writeFileSync(file, before);
  });
});

describe('an event page', () => {
  test('has the event’s facts once in its head', async () => {
    catalogHas({ id: 21, title: 'Go-Go Night', description: 'Three bands.' });
    const html = await (await gateway.get('/event/21?from=mail')).text();
    expect(html).toContain('<title>Go-Go Night · Beltway</title>');
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/name="description"/g)).toHaveLength(1);
    expect(html).toContain('<meta property="og:title" content="Go-Go Night" />');
    expect(gateway.behind.catalog.heard.map(({ url }) => url)).toEqual(['/api/events/21']);
    expect(gateway.behind.catalog.heard[0]!.headers).not.toHaveProperty('cookie');
    // Both addresses share the event, which is cached for a second. A render may take longer.
    let id = 2_100;
    await expect
      .poll(async () => {
        catalogHas({ id: ++id });
        for (const path of [`/event/${id}`, `/event/${id}/`]) expect((await gateway.get(path)).status).toBe(200);
        return gateway.behind.catalog.heard.filter(({ url }) => url === `/api/events/${id}`).length;
      })
      .toBe(1);
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
    ['returns nonsense', 25, () => (gateway.behind.catalog.answer = (_req, res) => void res.end('<html>'))],
    [
      'redirects to another site',
      26,
      () =>
        (gateway.behind.catalog.answer = (_req, res) =>
          void res.writeHead(302, { location: 'http://evil.example/' }).end()),
    ],
  ])('is served without facts when catalog %s', async (_what, id, breakIt) => {
    await breakIt();
    const answer = await gateway.get(`/event/${id}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Beltway</title>');
    if (id === 23) await gateway.behind.catalog.live();
  });

  test('does not wait for a catalog that hangs, and sends it one request for all concurrent readers', async () => {
    gateway.behind.catalog.answer = () => undefined;
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.get('/event/27')));
    // Without the limit of a second, the cache would end the request after ten.
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(gateway.behind.catalog.heard).toHaveLength(1);
  });
});

describe('the first screen', () => {
  const HOSTILE = `</script><script>alert(1)</script><img src=x onerror=alert(1)> "Ann" & 'Söhne' مرحبا 🎷 $& $1`;
  const dataOf = (html: string) =>
    JSON.parse(
      /<script type="application\/json" id="first-screen" lang="(?:en|es)">(.*?)<\/script>/s.exec(html)![1]!,
    ) as {
      event?: Event;
      comingUp?: Event[];
      organizer?: Organizer;
      next?: Event;
    };
  /** Makes catalog return these events in its list. */
  const catalogLists = (...events: Event[]) =>
    (gateway.behind.catalog.answer = (_req, res) =>
      void res.writeHead(200, { ...PUBLIC, 'cache-tag': 'events' }).end(JSON.stringify(events)));
  const purge = () => gateway.hear({ type: 'catalog.event-updated', data: { eventId: 31 } });
  /** Each test starts without cached answers. */
  beforeEach(async () => {
    purge();
    await new Promise((resolve) => setTimeout(resolve, 150));
  });

  test('shows what, when, where and how much on an event page, with inline styles', async () => {
    catalogHas({ id: 31, title: 'Go-Go Night' });
    const answer = await gateway.get('/event/31');
    const html = await answer.text();
    const root = /<div id="root">(.*)<\/div><script type="application\/json"/s.exec(html)![1]!;
    for (const words of [
      'Go-Go Night',
      'Saturday, June 1, 2030',
      '7 PM',
      'The Wharf, DC',
      '$25.00',
      '<img src="/media/',
    ])
      expect(root).toContain(words);
    expect(html).toContain('<style>body{color:red}</style>');
    expect(html).not.toContain('rel="stylesheet"');
    expect(dataOf(html).event).toMatchObject({ id: 31, title: 'Go-Go Night', contactEmail: null });
    expect(answer.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe-inline/);
  });

  test('shows the next events on the home page; there is no first screen while a filter is set', async () => {
    const later = anEvent({ id: 42, title: 'Later', eventDate: '2030-06-02T04:00:00.000Z' });
    catalogLists(later, anEvent({ id: 41, title: 'Next', hasTickets: false, freeEntry: true }));
    const html = await (await gateway.get('/')).text();
    expect(html).toContain('Tonight is one exit away.');
    expect(html).toContain('Free entry');
    expect(dataOf(html).comingUp?.[0]).toMatchObject({ id: 41 });
    expect(html).toContain('<link rel="canonical" href="http://localhost:3000/" />');
    const filtered = await (await gateway.get('/?q=jazz')).text();
    expect(filtered).toContain('<div id="root"></div>');
    expect(filtered).toContain('rel="canonical"');
  });

  test('shows an organizer’s profile and next event, and escapes both', async () => {
    const events = {
      upcoming: [anEvent({ id: 51, userId: 6, title: HOSTILE })],
      upcomingCount: 3,
      past: [],
      pastCount: 0,
    };
    const organizer = {
      id: 6,
      name: HOSTILE,
      followers: 2,
      about: 'Jazz by the river.',
      links: ['https://wharf.example'],
    };
    gateway.behind.catalog.answer = (req, res) =>
      void res
        .writeHead(200, { ...PUBLIC, 'cache-tag': 'organizer-6' })
        .end(JSON.stringify(req.url!.endsWith('/events') ? events : organizer));
    const html = await (await gateway.get('/organizer/6')).text();
    const root = /<div id="root">(.*)<\/div><script type="application\/json"/s.exec(html)![1]!;
    for (const words of ['2 followers', 'Jazz by the river.', 'wharf.example', 'Next show', 'Sat, Jun 1', 'Buy'])
      expect(root).toContain(words);
    expect(html).not.toContain('<img src=x');
    expect(dataOf(html)).toMatchObject({ organizer: { id: 6, name: HOSTILE }, next: { id: 51, title: HOSTILE } });
  });

  test('is omitted from an organizer’s page while catalog returns no event list, and shows a sentence if the list is empty', async () => {
    let events: unknown = 'nonsense';
    gateway.behind.catalog.answer = (req, res) =>
      void res
        .writeHead(200, { ...PUBLIC, 'cache-tag': 'organizer-8' })
        .end(JSON.stringify(req.url!.endsWith('/events') ? events : { id: 8, name: 'Wharf Nights', followers: 0 }));
    const bare = await (await gateway.get('/organizer/8')).text();
    expect(bare).toContain('<title>Wharf Nights · Beltway</title>');
    expect(bare).toContain('<div id="root"></div>');
    events = { upcoming: [], upcomingCount: 0, past: [], pastCount: 0 };
    await expect
      .poll(async () => (await gateway.get('/organizer/8')).text(), { timeout: 10_000 })
      .toContain('Nothing announced right now.');
  });

  const SCREENS = [
    ['/', 'Tonight is one exit away.', 'Tu noche está a una salida.'],
    ['/event/31', 'Saturday, June 1, 2030', 'sábado, 1 de junio de 2030'],
    ['/auth', 'Come on in.', 'Pasa, adelante.'],
    ['/community', 'What people around DC are saying.', 'Lo que cuenta la gente de DC y alrededores.'],
    ['/ticket-checkout?eventId=31', 'Get your tickets', 'Consigue tus boletos'],
  ] as const;
  const inLanguage = (path: string, language: string) => `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;

  test.each(SCREENS)('of %s is in the language of its link', async (path, english, spanish) => {
    catalogHas({ id: 31, title: 'Go-Go Night' });
    const es = await (await gateway.get(inLanguage(path, 'es'))).text();
    expect(es).toContain('<html lang="es">');
    expect(es).toContain('id="first-screen" lang="es">');
    expect(es).toContain(spanish);
    expect(es).not.toContain(english);
    expect(es).toContain('<noscript>Beltway necesita JavaScript para mostrar qué hay.</noscript>');
    expect(es).toContain('<style>body{color:red}</style>');
    const en = await (await gateway.get(path)).text();
    expect(en).toContain('<html lang="en">');
    expect(en).toContain('id="first-screen" lang="en">');
    expect(en).toContain(english);
    expect(en).not.toContain(spanish);
    expect(en).toContain('<noscript>Beltway needs JavaScript.</noscript>');
    expect(await (await gateway.get(inLanguage(path, 'en'))).text()).toBe(en);
  });

  test('is entirely in Spanish on the home page and an event page', async () => {
    const event = anEvent({
      id: 31,
      title: 'Jazz',
      tags: ['#jazz'],
      eventEndTime: '23:30',
      isSponsored: true,
      promotionLevel: 'premium',
    });
    catalogLists(event);
    const home = await (await gateway.get('/?lang=es')).text();
    expect(home).toContain('<title>Beltway: qué hay en DC, Maryland y Virginia</title>');
    expect(home.match(/<title>/g)).toHaveLength(1);
    expect(home.match(/name="description"/g)).toHaveLength(1);
    expect(home).toContain('name="description" content="Descubre qué hay esta noche');
    expect(home).toContain('<meta property="og:title" content="Beltway: qué hay en DC, Maryland y Virginia" />');
    expect(home).toContain('<link rel="canonical" href="http://localhost:3000/?lang=es" />');
    for (const words of ['PREMIUM', 'Lo próximo', 'sáb, 1 de jun de 2030', '7 p.m.', 'Dónde: '])
      expect(home).toContain(words);
    expect(dataOf(home).comingUp?.[0]).toMatchObject({ id: 31 });
    catalogHas(event);
    const page = await (await gateway.get('/event/31?lang=es')).text();
    for (const words of [
      ...['Música', 'PREMIUM', 'PATROCINADO', 'Fecha', 'Lugar', 'Cómo llegar', 'aria-label="Etiquetas"', '$25.00'],
      ...['por boleto, sin cargos adicionales', '7 p.m. – 11:30 p.m.', '<title>Jazz · Beltway</title>'],
    ])
      expect(page).toContain(words);
  });

  test.each(SCREENS)(
    'of %s is cached for each language: readers of one never get the other, whatever their browser and cookies request',
    async (path, english, spanish) => {
      catalogHas({ id: 31, title: 'Go-Go Night' });
      const wantsSpanish = { 'accept-language': 'es-US,es', cookie: 'lang=es; beltway.language=es' };
      const wantsEnglish = { 'accept-language': 'en-US,en', cookie: 'lang=en; beltway.language=en' };
      const etags: Record<string, Set<string | null>> = { en: new Set(), es: new Set() };
      // Alternates between the languages, so that each language is requested when the other was cached last.
      for (const headers of [wantsSpanish, wantsEnglish, wantsSpanish])
        for (const [language, address, said, other] of [
          ['en', path, english, spanish],
          ['es', inLanguage(path, 'es'), spanish, english],
        ] as const) {
          const answer = await gateway.get(address, headers);
          const html = await answer.text();
          expect(html).toContain(said);
          expect(html).not.toContain(other);
          // Caches must revalidate, with only the URL as their key.
          expect(answer.headers.get('cache-control')).toBe('no-cache');
          expect(answer.headers.get('vary')?.toLowerCase() ?? '').not.toMatch(/language|cookie|\*/);
          etags[language]!.add(answer.headers.get('etag'));
        }
      const [[en = null, ...moreEn], [es = null, ...moreEs]] = [[...etags['en']!], [...etags['es']!]];
      expect([...moreEn, ...moreEs]).toEqual([]);
      expect(en).not.toBe(es);
      // The ETag of one language does not match the page in the other language.
      expect((await gateway.get(inLanguage(path, 'es'), { 'if-none-match': en! })).status).toBe(200);
      expect((await gateway.get(path, { 'if-none-match': es! })).status).toBe(200);
      expect(await again(inLanguage(path, 'es'), `If-None-Match: ${es}`)).toMatch(/^HTTP\/1\.1 304 /);
    },
  );

  test.each([
    ['?lang=es&lang=en', 'en'],
    ['?lang=fr', 'en'],
    ['?lang=', 'en'],
    ['?lang[]=es', 'en'],
    ['?lang=%22%3E%3Cscript%3E', 'en'],
    ['?lang=%65s', 'es'],
  ])('of /auth%s is in one of our languages', async (query, language) => {
    const html = await (await gateway.get(`/auth${query}`)).text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toContain('"><script>');
  });

  test('is left to the script for a URL with parameters; the head is in the language of the URL', async () => {
    const html = await (await gateway.get('/?q=jazz&lang=es')).text();
    expect(html).toContain('<html lang="es">');
    expect(html).toContain('<div id="root"></div>');
    expect(html).toContain('<title>Beltway: qué hay en DC, Maryland y Virginia</title>');
    expect(await (await gateway.get('/auth?next=%2Fmy-tickets&lang=es')).text()).toContain('<div id="root"></div>');
  });

  test('a page for search engines links to both languages, other pages only to their own', async () => {
    const es = await (await gateway.get('/tonight?lang=es')).text();
    expect(es).toContain('<link rel="canonical" href="http://localhost:3000/tonight?lang=es" />');
    expect(es).toContain('<link rel="alternate" hreflang="en" href="http://localhost:3000/tonight" />');
    expect(es).toContain('<title>Beltway: qué hay en DC, Maryland y Virginia</title>');
    const en = await (await gateway.get('/tonight')).text();
    expect(en).toContain('<link rel="canonical" href="http://localhost:3000/tonight" />');
    expect(en).toContain('<title>Beltway</title>');
    expect(en).toContain('content="All of it."');
    for (const path of ['/my-tickets?lang=es', '/nowhere?lang=es']) {
      const html = await (await gateway.get(path)).text();
      expect(html, path).toContain('<html lang="es">');
      expect(html, path).toContain('content="Descubre qué hay esta noche');
      expect(html, path).not.toContain('rel="canonical"');
    }
  });

  test('links to the same page in both languages', async () => {
    catalogHas({ id: 31, title: 'Go-Go Night' });
    const address = 'http://localhost:3000/event/31';
    for (const [query, canonical] of [
      ['', address],
      ['?lang=es', `${address}?lang=es`],
      ['?lang=am', address],
    ]) {
      const html = await (await gateway.get(`/event/31${query}`)).text();
      expect(html).toContain(`<link rel="canonical" href="${canonical}" />`);
      expect(html).toContain(`<link rel="alternate" hreflang="en" href="${address}" />`);
      expect(html).toContain(`<link rel="alternate" hreflang="es" href="${address}?lang=es" />`);
      expect(html).toContain(`<link rel="alternate" hreflang="x-default" href="${address}" />`);
    }
  });

  test('renders on the home page when no event is upcoming', async () => {
    catalogLists(anEvent({ status: 'canceled' }), anEvent({ eventDate: '2020-01-01T05:00:00.000Z' }));
    const html = await (await gateway.get('/')).text();
    expect(html).toContain('Tonight is one exit away.');
    expect(dataOf(html)).toEqual({ comingUp: [] });
  });

  test('shows the order on a checkout page, and stays the same during the sale', async () => {
    const id = 31;
    catalogHas({ id, title: 'Go-Go Night', soldTickets: 3 });
    const first = await gateway.get(`/ticket-checkout?eventId=${id}`);
    const html = await first.text();
    for (const words of ['Get your tickets', 'Go-Go Night', 'The Wharf, DC', '<style>']) expect(html).toContain(words);
    expect(dataOf(html).event).toMatchObject({ id });
    catalogHas({ id, title: 'Go-Go Night', soldTickets: 4 });
    purge();
    await new Promise((resolve) => setTimeout(resolve, 150));
    const again = await gateway.get(`/ticket-checkout?eventId=${id}`, { 'if-none-match': first.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  test.each([
    ['sold out', { soldTickets: 100, totalTickets: 100 }],
    ['canceled', { status: 'canceled' as const }],
    ['over', { eventDate: '2020-01-01T05:00:00.000Z' }],
    ['not on sale yet', { ticketSalesStartTime: '2030-01-01T05:00:00.000Z' }],
    ['no longer on sale', { ticketSalesEndTime: '2020-01-01T05:00:00.000Z' }],
    ['without tickets', { hasTickets: false }],
  ])('is left to the script on a checkout page when no ticket can be bought: %s', async (_name, change) => {
    catalogHas({ id: 31, ...change });
    expect(await (await gateway.get('/ticket-checkout?eventId=31')).text()).toContain('<div id="root"></div>');
  });

  test.each([
    ['/auth', 'Come on in.', '?next=%2Fmy-tickets'],
    ['/community', 'What people around DC are saying.', '?place=bethesda'],
  ])('of %s has its text; there is no first screen for a URL with parameters', async (path, text, parameters) => {
    expect(await (await gateway.get(path)).text()).toContain(text);
    expect(await (await gateway.get(path + parameters)).text()).toContain('<div id="root"></div>');
  });

  test('has the links in all languages on the community page, like the page without a first screen', async () => {
    const alternate = /<link rel="alternate" hreflang="es" href="[^"]*\/community\?lang=es" \/>/;
    for (const path of ['/community/', '/community', '/community?place=bethesda'])
      expect(await (await gateway.get(path)).text(), path).toMatch(alternate);
  });

  test.each(['/event/32', '/ticket-checkout?eventId=32'])('shows hostile text as text: %s', async (path) => {
    const hostile = {
      title: HOSTILE,
      description: HOSTILE,
      location: HOSTILE,
      organizerName: HOSTILE,
      tags: [HOSTILE],
    };
    catalogHas({ id: 32, ...hostile, imageUrl: `https://x.example/"onload="alert(1)` });
    const html = await (await gateway.get(path)).text();
    // Only the built page's own script and the data. An event page also has its facts.
    expect(html.match(/<script\b/g)).toHaveLength(path.startsWith('/event') ? 3 : 2);
    expect(html).not.toMatch(/<img src=x/);
    // Without scripts and quoted text, only tags and attribute names should remain.
    const bare = html.replace(/<script\b.*?<\/script>/gs, '').replace(/"[^"]*"/g, '');
    expect(bare).not.toMatch(/<[^>]*\son\w+\s*=/);
    expect(dataOf(html).event).toMatchObject(hostile);
  });

  test.each([
    [33, 'canceled'],
    [36, 'postponed'],
  ] as const)('of an event (%i) that is %s is left to the script, its head is not', async (id, status) => {
    catalogHas({ id, status, title: `Is ${status}` });
    const html = await (await gateway.get(`/event/${id}`)).text();
    expect(html).toContain(`<title>Is ${status} · Beltway</title>`);
    expect(html).toContain('<div id="root"></div>');
  });

  test('is rendered again when the event changes, and is otherwise 304', async () => {
    catalogHas({ id: 34, title: 'Before' });
    const first = await gateway.get('/event/34', { 'accept-encoding': 'gzip' });
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const asked = () => again('/event/34', 'Accept-Encoding: gzip', `If-None-Match: ${etag}`);
    expect(await asked()).toMatch(/^HTTP\/1\.1 304 /);
    catalogHas({ id: 34, title: 'After' });
    gateway.hear({ type: 'catalog.event-updated', data: { eventId: 34 } });
    await expect
      .poll(async () => (await gateway.get('/event/34')).text())
      .toContain('<h1 class="text-heading md:text-display">After</h1>');
    expect(await asked()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('contains no personal data of its reader', async () => {
    catalogHas({ id: 35 });
    const token = await gateway.tokenFor({ id: 9, role: 'admin' });
    const html = await (
      await gateway.get('/event/35', { authorization: `Bearer ${token}`, cookie: 'beltway_refresh=canary' })
    ).text();
    expect(html).not.toContain('canary');
    for (const { headers } of gateway.behind.catalog.heard) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
  });
});

describe('an organizer page', () => {
  test('has the organizer’s name in its head', async () => {
    gateway.behind.catalog.answer = (_req, res) =>
      void res.writeHead(200, PUBLIC).end(JSON.stringify({ id: 5, name: '</title><b>Wharf "Nights"', followers: 2 }));
    const answer = await gateway.get('/organizer/5');
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('<title>&#60;/title&#62;&#60;b&#62;Wharf &#34;Nights&#34; · Beltway</title>');
    expect(html).toContain('<link rel="canonical" href="http://localhost:3000/organizer/5" />');
    expect(html).toContain('content="Events by &#60;/title&#62;&#60;b&#62;Wharf &#34;Nights&#34; around');
    const es = await (await gateway.get('/organizer/5?lang=es')).text();
    expect(es).toContain('<html lang="es">');
    expect(es).toContain('content="Los eventos de &#60;/title&#62;&#60;b&#62;Wharf &#34;Nights&#34; en Washington DC');
    expect(es).toContain('<link rel="canonical" href="http://localhost:3000/organizer/5?lang=es" />');
  });
  test('is 404 when there is no such organizer, and is sent without facts while catalog is down', async () => {
    noSuchEvent();
    expect((await gateway.get('/organizer/6')).status).toBe(404);
    await gateway.behind.catalog.die();
    expect((await gateway.get('/organizer/7')).status).toBe(200);
    await gateway.behind.catalog.live();
  });
});

describe('for search engines', () => {
  const SITE = 'http://localhost:3000';
  const catalogSays = (answers: Record<string, unknown>) =>
    (gateway.behind.catalog.answer = (req, res) => {
      const answer = answers[req.url!];
      res.writeHead(answer ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
    });
  const addressesIn = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);

  test('the sitemap is an index with pages and parts of events; while catalog is down it is 503, uncached', async () => {
    catalogSays({});
    expect((await gateway.get('/sitemap.xml')).status).toBe(503);
    catalogSays({
      '/internal/sitemap': { lastEventId: 10_001 },
      '/internal/sitemap/2': { eventIds: [10_001], organizerIds: [3] },
    });
    const index = await gateway.get('/sitemap.xml');
    expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(addressesIn(await index.text())).toEqual([0, 1, 2].map((part) => `${SITE}/sitemap-${part}.xml`));
    expect(addressesIn(await (await gateway.get('/sitemap-0.xml')).text())).toEqual(
      expect.arrayContaining([`${SITE}/`, `${SITE}/ad-pricing`]),
    );
    expect(addressesIn(await (await gateway.get('/sitemap-2.xml')).text())).toEqual([
      `${SITE}/event/10001`,
      `${SITE}/organizer/3`,
    ]);
    expect((await gateway.get('/sitemap-1.xml')).status).toBe(503);
    const asked = gateway.behind.catalog.heard.length;
    for (const path of [
      '/sitemap-3.xml',
      '/sitemap-01.xml',
      '/sitemap--1.xml',
      '/sitemap-999999.xml',
      '/sitemap-x.xml',
    ])
      expect((await gateway.get(path)).status, path).toBe(404);
    await Promise.all(Array.from({ length: 20 }, () => gateway.get('/sitemap-2.xml')));
    expect(gateway.behind.catalog.heard).toHaveLength(asked);
  });

  test('robots.txt names the sitemap, excludes private pages, and allows API calls', async () => {
    const text = await (await gateway.get('/robots.txt')).text();
    expect(text).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    expect(text).toContain('Disallow: /my-tickets');
    expect(text).toContain('Disallow: /checkout\n');
    expect(text).not.toMatch(/Disallow: \/(api|event|organizer)?$/m);
  });
});

describe('files', () => {
  const script = '/assets/index-a1b2.js';
  /** fetch decompresses automatically, but the test needs the bytes that were sent. */
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

  test('the service worker is revalidated each time, compressed or not, and may load only from this site', async () => {
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
      // The worker's scope is its own directory, which is the root of the site.
      expect(headers.get('service-worker-allowed')).toBeNull();
    }
  });

  test('that a page uses are announced with that page only', async () => {
    const linksOf = async (path: string) => (await gateway.get(path)).headers.get('link');
    expect(await linksOf('/')).toBe('</assets/home-a1.js>; rel=modulepreload; fetchpriority=low');
    const event =
      '</assets/event-b2.js>; rel=modulepreload; fetchpriority=low, </assets/map-c3.css>; rel=preload; as=style';
    expect(await linksOf('/event/7')).toBe(event);
    for (const path of ['/tonight', '/event/x', '/constructor', '/service-worker.js'])
      expect(await linksOf(path)).toBeNull();
    // After a newer build, the build's list applies from the next page on.
    const known = join(gateway.folder, '.gateway', 'page.json');
    const before = readFileSync(known, 'utf8');
    const isBuiltIn = (ms: number) =>
      utimesSync(join(gateway.folder, 'index.html'), new Date(), new Date(Date.now() + ms));
    writeFileSync(known, JSON.stringify({ ...JSON.parse(before), files: { '/': ['/assets/home-d4.js'] } }));
    isBuiltIn(5_000);
    expect(await linksOf('/')).toBe('</assets/home-d4.js>; rel=modulepreload; fetchpriority=low');
    // While a build is incomplete, the previous build is served.
    rmSync(known);
    isBuiltIn(10_000);
    expect(await linksOf('/')).toBe('</assets/home-d4.js>; rel=modulepreload; fetchpriority=low');
    writeFileSync(known, before);
    expect(await linksOf('/')).toBe('</assets/home-a1.js>; rel=modulepreload; fetchpriority=low');
  });

  test('that only the gateway uses are never served', async () => {
    for (const path of ['/.gateway/page.json', '/.gateway/first-screens.js', '/%2egateway/page.json', '/.gateway'])
      expect((await gateway.get(path)).status, path).toBe(404);
  });

  test('are listed nowhere', async () => {
    for (const folder of ['/assets', '/assets/', '/.gateway/'])
      expect((await gateway.get(folder)).status, folder).toBe(404);
  });
  test('without a compressed copy are sent uncompressed, and missing files are 404', async () => {
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
  /** The path of an event that is not cached. */
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

  test('that are already compressed are not compressed again', async () => {
    answers('public, max-age=31536000, immutable', 'image/webp');
    expect((await gateway.get(path(), { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull();
  });
});
