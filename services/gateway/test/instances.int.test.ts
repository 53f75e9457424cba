import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { startGateway, type TestGateway } from './gateway.ts';
import { standIn, type StandIn } from './stand-in.ts';

/** Two instances each of ticketing, the busiest service, and of realtime, which has sessions. */
let ticketing: [StandIn, StandIn];
let realtime: [StandIn, StandIn];
let gateway: TestGateway;

beforeEach(async () => {
  ticketing = [await standIn('one', 'ticketing'), await standIn('two', 'ticketing')];
  realtime = [await standIn('three', 'realtime'), await standIn('four', 'realtime')];
  const urls = (some: StandIn[]) => some.map(({ url }) => url);
  gateway = await startGateway({ TICKETING_URL: urls(ticketing), REALTIME_URL: urls(realtime) });
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all([...ticketing, ...realtime].map((service) => service.die()));
});

const asked = ({ heard }: StandIn, path: string) => heard.filter(({ url }) => url.startsWith(path));
const from = async (path: string) => ((await (await gateway.get(path)).json()) as { from: string }).from;
const several = (path: string) => Promise.all(Array.from({ length: 6 }, () => from(path)));

const upgrade = (query = '') =>
  [
    `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1`,
    'Host: localhost:3000',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ].join('\r\n');

async function open(query?: string) {
  const socket = gateway.connect();
  socket.write(upgrade(query));
  await eventually(() => socket.seen.text.includes('101 Switching Protocols'), { what: 'an open socket' });
}

test('requests are divided among the instances', async () => {
  expect(new Set(await several('/api/tickets/stats'))).toEqual(new Set(['one', 'two']));
});

test('a request for an unreachable instance is sent to the other instance, completely and once', async () => {
  await ticketing[0].die();
  const body = { eventId: 1, note: 'far '.repeat(5_000) };
  for (let turn = 0; turn < 2; turn++) expect((await gateway.post('/api/holds', body)).status).toBe(200);
  expect(asked(ticketing[1], '/api/holds').map((heard) => JSON.parse(heard.body) as unknown)).toEqual([body, body]);
});

test('without an instance requests get 503 until an instance is back', async () => {
  await Promise.all(ticketing.map((service) => service.die()));
  const answer = await gateway.post('/api/holds', { eventId: 1 });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  await ticketing[1].live();
  await eventually(async () => (await gateway.post('/api/holds', { eventId: 1 })).status === 201);
});

test('an instance gets no requests until it is ready', async () => {
  ticketing[0].isReady = false;
  await eventually(async () => new Set(await several('/api/tickets/stats')).size === 1);
  expect(new Set(await several('/api/tickets/stats'))).toEqual(new Set(['two']));
  expect((await gateway.get('/api/health/ready')).status).toBe(200);
  ticketing[0].isReady = true;
  await eventually(async () => new Set(await several('/api/tickets/stats')).size === 2);
});

test('a GET whose connection breaks is sent to the other instance; requests with other methods are not', async () => {
  ticketing[0].answer = (req) => req.socket.destroy();
  expect(new Set(await several('/api/tickets/stats'))).toEqual(new Set(['two']));
  expect(asked(ticketing[0], '/api/tickets/stats').length).toBeGreaterThan(0);

  const statuses = new Set<number>();
  for (let turn = 0; turn < 12; turn++) statuses.add((await gateway.post('/api/order-keys', { turn })).status);
  expect(statuses).toEqual(new Set([200, 503]));
  expect(ticketing.flatMap((service) => asked(service, '/api/order-keys'))).toHaveLength(12);
});

test('the polls and the WebSocket of a session reach the instance that opened the session', async () => {
  for (const { name, heard } of realtime) {
    const sid = `${name}.abc-_d`;
    expect(new Set(await several(`/socket.io/?EIO=4&transport=polling&sid=${sid}`))).toEqual(new Set([name]));
    for (let turn = 0; turn < 3; turn++) await open(`&sid=${sid}`);
    expect(heard.filter(({ method }) => method === 'UPGRADE')).toHaveLength(3);
  }
  for (const sid of ['', '&sid=no.such', '&sid=none'])
    expect(new Set(await several(`/socket.io/?EIO=4&transport=polling${sid}`))).toEqual(new Set(['three', 'four']));
});

test('a WebSocket for an unreachable instance is opened at the other instance', async () => {
  await realtime[0].die();
  await open();
  await open();
  await open(`&sid=${realtime[0].name}.abc`);
  expect(realtime[1].upgraded).toHaveLength(3);
});

test('the gateway is ready while at least one instance of each service is ready', async () => {
  await ticketing[0].die();
  expect((await gateway.get('/api/health/ready')).status).toBe(200);
  await ticketing[1].die();
  const answer = await gateway.get('/api/health/ready');
  expect([answer.status, await answer.json()]).toMatchObject([503, { failed: { ticketing: 'fetch failed' } }]);
});
