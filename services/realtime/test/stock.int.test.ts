import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StockChangedV1 } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { PUBLIC_URL, startRealtime, watch, type PageSocket, type Realtime } from './realtime.ts';

let realtime: Realtime;
beforeAll(async () => void (realtime = await startRealtime()));
afterAll(() => realtime.close());

let lastId = 100;
const newEvent = () => ++lastId;

const connected = async (page: PageSocket) => eventually(() => page.connected && page, { what: 'the connection' });
const open = (...options: Parameters<Realtime['open']>) => connected(realtime.open(...options));
const versions = (page: PageSocket, eventId: number) =>
  page.heard.filter((stock) => stock.eventId === eventId).map(({ version }) => version);
/** Resolves when all earlier messages have reached this page, because one connection keeps their order. */
async function upToDate(page: PageSocket): Promise<void> {
  const marker = newEvent();
  await watch(page, marker);
  await realtime.say({ eventId: marker, version: 1 });
  await eventually(() => versions(page, marker).length > 0, { what: 'the marker' });
}

test('sends holds, releases and sales to watchers only', async () => {
  const eventId = newEvent();
  const [watcher, other] = [await open(), await open()];
  expect(await watch(watcher, eventId)).toBe(1);
  expect(await watch(other, newEvent())).toBe(1);

  const states = [
    { eventId, version: 1, capacity: 100, sold: 0, held: 2 },
    { eventId, version: 2, capacity: 100, sold: 0, held: 0 },
    { eventId, version: 3, capacity: 100, sold: 2, held: 0 },
  ];
  for (const state of states) {
    await realtime.say(state);
    await eventually(() => versions(watcher, eventId).includes(state.version));
  }
  await upToDate(other);
  expect(watcher.heard.filter((stock) => stock.eventId === eventId)).toEqual(states);
  StockChangedV1.shape.data.strict().parse(watcher.heard.at(-1));
  expect(versions(other, eventId)).toEqual([]);
});

test('sends nothing to a page that has left', async () => {
  const eventId = newEvent();
  const page = await open();
  await watch(page, eventId);
  await realtime.say({ eventId, version: 1 });
  await eventually(() => versions(page, eventId).length === 1);
  page.emit('unwatch-stock', [eventId]);
  expect(await watch(page)).toBe(0);
  await realtime.say({ eventId, version: 2 });
  await upToDate(page);
  expect(versions(page, eventId)).toEqual([1]);
});

test('sends two thousand changes in a second as a few messages; the last message has the latest state', async () => {
  const eventId = newEvent();
  const page = await open();
  await watch(page, eventId);
  const started = performance.now();
  for (let version = 1; version <= 2_000; version += 40) {
    await realtime.say(
      ...Array.from({ length: 40 }, (_, index) => ({ eventId, version: version + index, sold: version + index })),
    );
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, started + version / 2 - performance.now())));
  }
  await eventually(() => versions(page, eventId).at(-1) === 2_000);
  await realtime.kept();
  await upToDate(page);
  const seconds = (performance.now() - started) / 1_000;
  const heard = versions(page, eventId);
  expect(heard.at(-1)).toBe(2_000);
  expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
  expect(heard.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 2);
});

test('resumes when a page watches again after its connection broke', async () => {
  const eventId = newEvent();
  const page = await open();
  page.on('connect', () => page.emit('watch-stock', [eventId]));
  await watch(page, eventId);
  page.io.engine.close();
  await realtime.say({ eventId, version: 1, sold: 1 });
  await eventually(() => versions(page, eventId).includes(1), { what: 'the change during the break' });
  await realtime.say({ eventId, version: 2, sold: 2 });
  await eventually(() => versions(page, eventId).at(-1) === 2);
});

test("sends changes from a page's absence, and later changes, when it is back", async () => {
  const eventId = newEvent();
  const page = await open();
  page.on('connect', () => page.emit('watch-stock', [eventId]));
  await watch(page, eventId);
  await realtime.stop();
  await eventually(() => !page.connected, { what: 'being cut off' });
  await realtime.say({ eventId, version: 7, sold: 7 });
  await realtime.start();
  await eventually(() => versions(page, eventId).includes(7), { what: 'the change during the restart' });
  await realtime.say({ eventId, version: 8, sold: 8 });
  await eventually(() => versions(page, eventId).at(-1) === 8);
});

test('sends a new watcher the latest change', async () => {
  const eventId = newEvent();
  await realtime.say({ eventId, version: 3, sold: 3 });
  await realtime.kept();
  const page = await open();
  expect(await watch(page, eventId)).toBe(1);
  await eventually(() => versions(page, eventId).includes(3));
});

test('after a restart sends only changes that a page can have missed', async () => {
  const [fresh, old] = [newEvent(), newEvent()];
  await realtime.say({ eventId: fresh, version: 3, sold: 3 }, { eventId: old, version: 3, sold: 3 });
  await realtime.kept();
  await realtime.pool.query(`update stock set changed_at = now() - interval '1 hour' where event_id = $1`, [old]);
  await realtime.stop();
  await realtime.start();
  const page = await open();
  expect(await watch(page, fresh, old)).toBe(2);
  await eventually(() => versions(page, fresh).includes(3));
  await upToDate(page);
  expect(versions(page, old)).toEqual([]);
});

test('keeps the newest state, in any order of arrival', async () => {
  const eventId = newEvent();
  await realtime.say(
    { eventId, version: 2, sold: 2 },
    { eventId, version: 9, sold: 9 },
    { eventId, version: 4, sold: 4 },
  );
  await realtime.say({ eventId, version: 9, sold: 9 }, { eventId, version: 4, sold: 4 });
  await realtime.kept();
  const { rows } = await realtime.pool.query('select sold, version from stock where event_id = $1', [eventId]);
  expect(rows).toEqual([{ sold: 9, version: '9' }]);
});

test('skips unknown types of messages, parks a message that violates its contract, and continues', async () => {
  const eventId = newEvent();
  const page = await open();
  await watch(page, eventId);
  await realtime.sayOther('ticketing.something-of-tomorrow', { eventId });
  await realtime.sayOther('ticketing.stock-changed', { eventId, sold: 'many' });
  await realtime.say({ eventId, version: 1 });
  await eventually(() => versions(page, eventId).length === 1);
  await realtime.kept();
  const letters = await realtime.deadLetters();
  expect(letters.map(({ type, original }) => [type, (original as { data: unknown }).data])).toEqual([
    ['ticketing.stock-changed', { eventId, sold: 'many' }],
  ]);
});

test.each([
  ['text', 'watch'],
  ['an object', { length: 1, 0: 5 }],
  ['numbers as text', ['5']],
  ['fractions', [1.5]],
  ['negative numbers', [-1]],
  ['numbers no event has', [2_147_483_648]],
  ['lists in lists', [[5]]],
  ['nothing', null],
  ['a list too long', Array.from({ length: 1_001 }, (_, index) => index + 1)],
])('ignores a watch of %s', async (_what, forged) => {
  const page = await open();
  page.emit('watch-stock', forged as never);
  page.emit('unwatch-stock', forged as never);
  (page.emit as (event: string, ...values: unknown[]) => void)('watch-stock');
  (page.emit as (event: string, ...values: unknown[]) => void)('__proto__', 'x');
  expect(await watch(page)).toBe(0);
});

test('lets a page watch at most 250 events', async () => {
  const page = await open();
  const ids = Array.from({ length: 300 }, (_, index) => 5_000 + index);
  expect(await watch(page, ...ids)).toBe(250);
  expect(await watch(page, 9_999)).toBe(250);
  page.emit('unwatch-stock', [5_000]);
  expect(await watch(page, 9_999)).toBe(250);
  await realtime.say({ eventId: 5_299, version: 1 }, { eventId: 9_999, version: 1 });
  await eventually(() => versions(page, 9_999).length === 1);
  expect(versions(page, 5_299)).toEqual([]);
});

test('disconnects a client that sends too large a message, or too many messages', async () => {
  const large = await open({ reconnection: false });
  large.emit('watch-stock', ['x'.repeat(20_000)] as never);
  await eventually(() => !large.connected, { what: 'being cut off for size' });
  const many = await open({ reconnection: false, transports: ['websocket'] });
  for (let count = 0; count < 100; count++) many.emit('watch-stock', [1]);
  await eventually(() => !many.connected, { what: 'being cut off for number' });
});

test.each(['websocket', 'polling'] as const)('serves pages by %s', async (transport) => {
  const eventId = newEvent();
  const page = await open({ transports: [transport] });
  await watch(page, eventId);
  await realtime.say({ eventId, version: 1 });
  await eventually(() => versions(page, eventId).length === 1);
});

test('needs no token, accepts a valid one and refuses an invalid one', async () => {
  const refusalOf = (token: unknown) =>
    new Promise<unknown>((resolve) => {
      const page = realtime.open({ auth: { token }, reconnection: false });
      page.on('connect', () => resolve('connected'));
      page.on('connect_error', (error) => resolve((error as Error & { data?: { code?: string } }).data?.code));
    });
  expect(await refusalOf(undefined)).toBe('connected');
  expect(await refusalOf(await realtime.tokenOf({ id: 7 }))).toBe('connected');
  const past = { exp: 1 };
  const ended = await realtime.identity.tokenFor({ id: 7 }, past);
  const forged = `${ended.slice(0, ended.lastIndexOf('.'))}.${'A'.repeat(342)}`;
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${ended.split('.')[1]}.`;
  const elsewhere = await realtime.identity.tokenFor({ id: 7 }, { ...past, aud: 'another' });
  for (const bad of ['', 'a.b.c', 7, {}, forged, unsigned, elsewhere])
    expect(await refusalOf(bad)).toBe('unauthenticated');
});

test('informs a page whose token has expired, and continues to serve it', async () => {
  const ended = await realtime.identity.tokenFor({ id: 7 }, { exp: 1 });
  for (const transport of ['websocket', 'polling'] as const) {
    const page = realtime.open({ auth: { token: ended }, transports: [transport] });
    await eventually(() => page.expiries > 0, { what: 'the end of the token' });
    expect(page.connected).toBe(true);
    const eventId = newEvent();
    await watch(page, eventId);
    await realtime.say({ eventId, version: 1 });
    await eventually(() => versions(page, eventId).length === 1);
  }
});

test('refuses pages of other sites, by both transports', async () => {
  const from = async (origin: string, transport: 'websocket' | 'polling') => {
    const page = realtime.open({ transports: [transport], extraHeaders: { origin }, reconnection: false });
    return new Promise((resolve) => page.on('connect', () => resolve('in')).on('connect_error', () => resolve('out')));
  };
  for (const transport of ['websocket', 'polling'] as const) {
    expect(await from(PUBLIC_URL, transport)).toBe('in');
    expect(await from('https://evil.test', transport)).toBe('out');
    expect(await from('null', transport)).toBe('out');
  }
});

test('allows no other site to read by CORS, and responds to `live` and `ready`', async () => {
  const polled = await fetch(`${realtime.url}/socket.io/?EIO=4&transport=polling`);
  expect([polled.status, polled.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  expect((await fetch(`${realtime.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${realtime.url}/health/ready`)).status).toBe(200);
  expect((await fetch(`${realtime.url}/socket.io/socket.io.js`)).status).toBe(400);
  expect((await fetch(`${realtime.url}/nowhere`)).status).toBe(404);
});

test('continues after invalid packets', async () => {
  const { hostname, port } = new URL(realtime.url);
  const post = (body: string) =>
    new Promise<number>((resolve, reject) => {
      const req = request(
        { hostname, port, method: 'POST', path: '/socket.io/?EIO=4&transport=polling&sid=nobody' },
        (res) => {
          res.resume();
          resolve(res.statusCode ?? 0);
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  expect(await post('42["watch-stock",[1]]')).toBe(400);
  const page = await open({ transports: ['websocket'], reconnection: false });
  // A packet of an unknown type, on the open connection.
  (page.io.engine as unknown as { write(packet: string): void }).write('9{"not":"a packet"}');
  const next = await open();
  expect(await watch(next, newEvent())).toBe(1);
});

test('all pages are notified of a changed live stream, by ids and state only; a malformed message is skipped', async () => {
  const [one, other] = [await open(), await open()];
  const told: unknown[][] = [[], []];
  one.on('catalog.livestream-changed', (data) => void told[0]!.push(data));
  other.on('catalog.livestream-changed', (data) => void told[1]!.push(data));
  const changed = (eventId: number, status: string) => ({
    ...{ id: randomUUID(), type: 'catalog.livestream-changed', version: 1, key: `event-${eventId}` },
    ...{ occurredAt: new Date().toISOString(), correlationId: 'test', causationId: 'test' },
    data: {
      ...{ eventId, version: 1, status, startTime: '2030-07-12T23:00:00.000Z', endTime: '2030-07-13T03:00:00.000Z' },
      ...{ maxViewers: 10, chatEnabled: true, recordingEnabled: false },
    },
  });
  await realtime.bus.publish('catalog.events', [changed(newEvent(), 'nonsense')]);
  const eventId = newEvent();
  await realtime.bus.publish('catalog.events', [changed(eventId, 'live')]);
  await eventually(() => told.every(({ length }) => length > 0), { what: 'the message' });
  expect(told).toEqual([[{ eventId, status: 'live' }], [{ eventId, status: 'live' }]]);
});
