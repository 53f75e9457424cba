import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { publicRoutes } from '../src/routes/table.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

const framingOf = ({ headers }: Response) => ({
  ancestors: /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1],
  options: headers.get('x-frame-options'),
});
const NOWHERE = { ancestors: "'none'", options: 'DENY' };
const AT_HOME = { ancestors: "'self'", options: 'SAMEORIGIN' };
const ANYWHERE = { ancestors: '*', options: null };

/** Catalog responds with a page, as in production. */
const answerPage = (status = 200) =>
  (gateway.behind.catalog.answer = (_req, res) => {
    const cacheControl = status === 200 ? 'public, max-age=1' : 'no-store';
    res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl });
    res.end('<!doctype html><p>What’s on</p>');
  });

test('any site may frame the embedded list, whether it is cached, fetched or refused', async () => {
  answerPage();
  const path = '/embed?theme=dark&organizer=7';
  const answers = [
    await gateway.get(path),
    await gateway.get(path),
    await gateway.get('/embed?organizer=7&theme=dark&utm=1'),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(framingOf(answer)).toEqual(ANYWHERE);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('set-cookie')).toBeNull();
    const policy = answer.headers.get('content-security-policy')!;
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'none'"])
      expect(policy.split(';')).toContain(rule);
    expect(policy).not.toContain('unsafe');
  }
  answerPage(400);
  const refused = await gateway.get('/embed?near=Atlantis');
  expect([refused.status, framingOf(refused)]).toEqual([400, ANYWHERE]);
  expect(await refused.text()).toContain('<p>');
});

test('all callers share one fetch of the list', async () => {
  answerPage();
  await Promise.all(Array.from({ length: 20 }, () => gateway.get('/embed?limit=3')));
  expect(gateway.behind.catalog.heard.map(({ url }) => url)).toEqual(['/embed?limit=3']);
});

test('any site may load the list’s script, which itself allows no frame', async () => {
  for (const [path, policy] of [
    ['/embed.js', 'cross-origin'],
    ['/theme.js', 'same-origin'],
  ] as const) {
    const answer = await gateway.get(path);
    expect([path, answer.headers.get('cross-origin-resource-policy'), framingOf(answer)]).toEqual([
      path,
      policy,
      AT_HOME,
    ]);
  }
});

test.each([
  ...['/', '/event/7', '/auth', '/dashboard', '/my-tickets', '/no-such-page', '/embed/7', '/embed.html', '/EMBEDDED'],
  ...['/assets/index-a1b2.js', '/assets/none.js', '/service-worker.js', '/dev/mail', '/sandbox/stripe/v1/x', '//embed'],
])('%s may not be framed', async (path) => {
  answerPage();
  expect(framingOf(await gateway.get(path))).toEqual(AT_HOME);
});

const others = publicRoutes.filter(({ isFramed }) => !isFramed);

test('exactly one public call may be framed', () => {
  expect(publicRoutes.filter(({ isFramed }) => isFramed).map(({ path }) => path)).toEqual(['/embed']);
});

test.each(others.map(({ method, path }) => [method.toUpperCase(), path] as const))(
  '%s %s may not be framed',
  async (method, path) => {
    const url = gateway.url + path.replace(/\{\w+\}/g, '7');
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
    const headers = { 'content-type': 'application/json' };
    // The second answer may come from the cache; the third is a problem.
    for (const query of ['', '', '?limit=1&limit=2']) {
      const answer = await fetch(url + query, { method, headers, ...body });
      expect(framingOf(answer)).toEqual(path.startsWith('/api/') ? NOWHERE : AT_HOME);
      await answer.body?.cancel();
    }
  },
);
