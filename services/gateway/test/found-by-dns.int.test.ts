import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '@beltway/kit/free-ports';
import { eventually } from '@beltway/kit/testing';
import { dnsServer } from '@beltway/kit/testing-dns';
import { startGateway, type TestGateway } from './gateway.ts';
import { standIn, type StandIn } from './stand-in.ts';

const HOLD = { eventId: 1, quantity: 1 };
let dns: Awaited<ReturnType<typeof dnsServer>>;
let port: number;
let gateway: TestGateway;
const running: StandIn[] = [];

beforeEach(async () => {
  dns = await dnsServer();
  port = await freePort();
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all(running.splice(0).map((service) => service.die()));
  await dns.close();
});

/** An instance with an IP address of its own. The instance is named after the last number of the address. */
async function instance(service: string, end: number): Promise<StandIn> {
  const one = await standIn(`at${end}`, service, { host: `127.0.0.${end}`, port });
  running.push(one);
  return one;
}
const names = (service: string, ...ends: number[]) =>
  dns.names.set(
    `${service}.test`,
    ends.map((end) => `127.0.0.${end}`),
  );
const open = async (service: string) =>
  startGateway(
    { [`${service.toUpperCase()}_URL`]: [`http://${service}.test:${port}`] },
    ...([undefined, undefined, undefined, undefined, undefined] as const),
    { lookup: dns.lookup, lookupMs: 50 },
  );

/** Clients that read, request holds and send unrepeatable requests, each in sequence, until stopped. */
function load() {
  const failed: unknown[] = [];
  const state = { asked: 0, going: true };
  const client = async (n: number) => {
    while (state.going) {
      const eventId = (n * 7 + state.asked) % 50;
      const calls = [
        () => gateway.get('/api/tickets/stats'),
        () => gateway.post('/api/holds', { ...HOLD, eventId }),
        () => gateway.post('/api/order-keys', {}),
      ];
      const answer = await calls[state.asked++ % 3]!().catch((error: unknown) => ({ status: error, text: () => '' }));
      await answer.text();
      if (answer.status !== 200 && answer.status !== 201) failed.push(answer.status);
    }
  };
  const clients = Promise.all(Array.from({ length: 12 }, (_, n) => client(n)));
  const more = async (count: number) => {
    const from = state.asked;
    await eventually(() => state.asked > from + count, { what: `${count} more requests` });
  };
  const end = async () => {
    state.going = false;
    await clients;
    return failed;
  };
  return { more, end };
}

test('while one instance becomes three and then one again, no request fails, and each gets a share', async () => {
  const one = await instance('ticketing', 2);
  names('ticketing', 2);
  gateway = await open('ticketing');
  const { more, end } = load();
  await more(100);

  const [two, three] = [await instance('ticketing', 3), await instance('ticketing', 4)];
  names('ticketing', 2, 3, 4);
  await eventually(() => two.heard.length > 50 && three.heard.length > 50, { what: 'load at the new instances' });
  for (const { heard } of [one, two, three])
    expect(new Set(heard.map(({ url }) => url))).toEqual(
      new Set(['/api/tickets/stats', '/internal/holds', '/api/order-keys']),
    );

  // DNS drops one instance before the instance ends, and the other after it has ended, as cached records do.
  names('ticketing', 2, 4);
  await Promise.all([two.leave(1_000), three.leave(1_000)]);
  await more(100);
  names('ticketing', 2);
  await more(100);
  expect(await end()).toEqual([]);
});

test('requests continue while DNS does not respond or lists an address of a different service', async () => {
  const one = await instance('ticketing', 2);
  const stranger = await instance('catalog', 3);
  names('ticketing', 2);
  gateway = await open('ticketing');
  const { more, end } = load();
  await more(50);
  dns.fault = 'silence';
  await more(500);
  dns.fault = undefined;
  names('ticketing', 3, 9);
  const questions = dns.questions.length;
  await eventually(() => dns.questions.length > questions + 5);
  await more(500);
  expect([await end(), stranger.heard]).toEqual([[], []]);
  expect(one.heard.length).toBeGreaterThan(500);
});

test('without an instance requests get 503 immediately, until DNS lists an instance', async () => {
  gateway = await open('ticketing');
  for (const answer of [await gateway.post('/api/holds', HOLD), await gateway.get('/api/tickets/stats')])
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  const ready = await gateway.get('/api/health/ready');
  expect([ready.status, await ready.json()]).toMatchObject([503, { failed: { ticketing: 'no instance is known' } }]);
  await instance('ticketing', 2);
  names('ticketing', 2);
  await eventually(async () => (await gateway.post('/api/holds', HOLD)).status === 201);
  expect((await gateway.get('/api/health/ready')).status).toBe(200);
});

test('the polls of a session reach the instance that opened the session, wherever DNS found it', async () => {
  const two = [await instance('realtime', 2), await instance('realtime', 3)];
  names('realtime', 2, 3);
  gateway = await open('realtime');
  for (const { name } of two)
    for (let turn = 0; turn < 5; turn++) {
      const answer = await gateway.get(`/socket.io/?EIO=4&transport=polling&sid=${name}.abc`);
      expect(await answer.json()).toEqual({ from: name });
    }
});
