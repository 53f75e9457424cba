import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 })));
afterAll(() => gateway.stop());

const signIn = (address: string, path = '/api/auth/login') => gateway.post(path, {}, { 'x-forwarded-for': address });

/** Sends requests until one is refused, but at most `max`. */
async function until429(send: () => Promise<Response>, max: number) {
  for (let sent = 1; sent <= max; sent++) {
    const answer = await send();
    if (answer.status === 429) return { sent, answer };
  }
  return { sent: max };
}

test('the 61st sign-in from an address within a minute is refused, however the path is spelled', async () => {
  const spellings = ['/api/auth/login', '/api/auth/LOGIN', '/api/auth/login/', '/api/auth/Register/'];
  let i = 0;
  const { sent, answer } = await until429(() => signIn('203.0.113.5', spellings[i++ % 4]!), 100);
  expect(sent).toBe(61);
  expect(answer!.headers.get('content-type')).toContain('application/problem+json');
  expect(Number(answer!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer!.headers.get('ratelimit')).toMatch(/^"sign-in";r=0;t=\d+$/);
  expect(answer!.headers.get('ratelimit-policy')).toBe('"sign-in";q=60;w=60');
  expect(await answer!.json()).toMatchObject({ code: 'too-many-requests' });
  expect((await signIn('203.0.113.6')).status).toBe(200);
  // Reads and purchases are counted separately.
  expect((await gateway.get('/api/events', { 'x-forwarded-for': '203.0.113.5' })).status).toBe(200);
  expect(gateway.behind.identity.heard).toHaveLength(61);
});

test('passkey requests that the sign-in page itself sends do not use up the sign-ins of their address', async () => {
  for (let visit = 0; visit < 61; visit++)
    expect((await signIn('203.0.113.7', '/api/auth/login/passkey/options')).status).toBe(200);
  expect((await signIn('203.0.113.7')).status).toBe(200);
});

test('an IPv6 /64 counts as one address', async () => {
  let i = 0;
  const { sent } = await until429(() => signIn(`2001:db8:7:7::${(++i).toString(16)}`), 100);
  expect(sent).toBe(61);
  expect((await signIn('2001:db8:7:8::1')).status).toBe(200);
});

test('an IPv6 /48 may send sixteen times as much in every rate class; others are not affected', async () => {
  let subnet = 0;
  const attacker = () => `2001:db8:99:${(subnet++ % 65_536).toString(16)}::1`;
  const { sent } = await until429(() => signIn(attacker()), 300);
  expect(sent).toBe(4 * 60 + 1);
  // A /48 may send sixteen times 240 holds.
  const take = (address: string) => gateway.post('/api/holds', {}, { 'x-forwarded-for': address });
  subnet = 0;
  const statuses = [];
  for (let turn = 0; turn < 62; turn++)
    statuses.push(
      ...(await Promise.all(
        Array.from(
          { length: 64 },
          async () => (await take(`2001:db8:98:${((subnet++ * 257) % 65_536).toString(16)}::1`)).status,
        ),
      )),
    );
  expect(statuses.filter((status) => status === 201)).toHaveLength(16 * 240);
  expect((await take('2001:db8:97::1')).status).toBe(201);
  expect((await signIn('2001:db8:97::1')).status).toBe(200);
});

test('an IPv4 address in IPv6 notation is counted as the IPv4 address', async () => {
  const spellings = ['::ffff:203.0.113.9', '::ffff:cb00:7109', '203.0.113.9'];
  let i = 0;
  const { sent } = await until429(() => signIn(spellings[i++ % 3]!), 100);
  expect(sent).toBe(61);
});

test('an X-Forwarded-For that a client makes up is ignored', async () => {
  let i = 0;
  const { sent } = await until429(() => signIn(`10.0.0.${i++}, 203.0.113.77`), 100);
  expect(sent).toBe(61);
});

test('a visitor who loads pages, polls and buys tickets for a minute is not limited', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  const statuses = new Set<number>();
  const visit = async (path: string) => statuses.add((await gateway.get(path, headers)).status);
  for (let page = 0; page < 15; page++) {
    await Promise.all(Array.from({ length: 40 }, (_, i) => visit(`/api/events/${i + 1}`)));
    statuses.add((await gateway.post('/api/holds', {}, headers)).status);
    statuses.add((await gateway.post('/api/auth/refresh', {}, headers)).status);
  }
  expect([...statuses]).toEqual([200, 201]);
});

test('webhooks and the frontend’s files are not counted', async () => {
  for (const path of ['/', '/theme.js', '/event/5', '/media/images/a.webp'])
    expect((await gateway.get(path)).headers.get('ratelimit')).toBeNull();
  expect((await gateway.post('/api/stripe/webhook', {})).headers.get('ratelimit')).toBeNull();
  expect((await gateway.get('/socket.io/')).headers.get('ratelimit')).toMatch(/^"read";r=\d+;t=\d+$/);
});

test('WebSockets are counted as reads', async () => {
  const upgrade =
    'GET /socket.io/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n';
  const left = async () =>
    Number(
      /r=(\d+)/.exec(
        (await gateway.get('/api/events', { 'x-forwarded-for': '192.0.2.1' })).headers.get('ratelimit')!,
      )![1],
    );
  const before = await left();
  for (let i = 0; i < 3; i++) {
    const socket = gateway.connect();
    socket.write(upgrade);
    await expect.poll(() => socket.seen.text).toContain('101');
    socket.destroy();
  }
  expect(await left()).toBe(before - 4);
});

test('limits can be turned off in embedded mode only', async () => {
  const engines = await startGateway({ BELTWAY_MODE: 'engines', BELTWAY_RATE_LIMITS: 'off' });
  expect((await engines.get('/api/events')).headers.get('ratelimit')).not.toBeNull();
  await engines.stop();
  const embedded = await startGateway({ BELTWAY_MODE: 'embedded', BELTWAY_RATE_LIMITS: 'off' });
  expect((await embedded.get('/api/events')).headers.get('ratelimit')).toBeNull();
  await embedded.stop();
});
