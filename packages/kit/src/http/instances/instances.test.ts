import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { instances, type Instances, type InstancesOptions } from './instances.ts';
import { eventually } from '../../testing/testing.ts';

const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/**
 * A service with only a readiness route. Set `status` to choose its status: 200, 503, or 0 to freeze it. `name` is the
 * service's name.
 */
async function service(name = 'shop') {
  const unanswered: ServerResponse[] = [];
  const state = {
    status: 200,
    body: readiness(name),
    asked: 0,
    url: '',
    unanswered,
    gone: () => (server.closeAllConnections(), server.close()),
  };
  const server = createServer((_req, res) => {
    state.asked++;
    if (state.status) res.writeHead(state.status).end(state.body);
    else unanswered.push(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closing.push(state.gone);
  return state;
}

function watching(services: Array<{ url: string }>, options: Partial<InstancesOptions> = {}): Instances {
  const found = instances({
    service: 'shop',
    urls: services.map(({ url }) => url),
    probeMs: 10,
    timeoutMs: 2_000,
    ...options,
  });
  closing.push(found.stop);
  return found;
}

const readiness = (name: string, id = 'x1') => JSON.stringify({ service: name, instance: id });

const picked = (from: Instances) => new Set(Array.from({ length: 8 }, () => from.pick()));
const routed = (from: Instances) => new Set(Array.from({ length: 100 }, (_, id) => from.forKey(id)));

test('every ready instance is picked in turn and has a share of the keys', async () => {
  const some = await Promise.all([service(), service(), service()]);
  const found = watching(some);
  const urls = new Set(some.map(({ url }) => url));
  expect(picked(found)).toEqual(urls);
  expect(routed(found)).toEqual(urls);
  await eventually(() => some.every(({ asked }) => asked > 2));
  expect(picked(found)).toEqual(urls);
});

test.each(['reports that it is not ready', 'hangs', 'is gone'])(
  'an instance that %s is skipped until it is ready',
  async (how) => {
    const [one, other] = [await service(), await service()];
    const found = watching([one, other]);
    if (how === 'is gone') one.gone();
    else one.status = how === 'hangs' ? 0 : 503;
    await eventually(() => picked(found).size === 1 && routed(found).size === 1);
    expect(found.pick()).toBe(other.url);
    expect(found.forKey(7)).toBe(other.url);
    if (how === 'is gone') return;
    one.status = 200;
    await eventually(() => picked(found).size === 2 && routed(found).size === 2);
  },
);

test('an instance that could not be reached is skipped immediately and probed again', async () => {
  const [one, other] = [await service(), await service()];
  const found = watching([one, other], { probeMs: 50 });
  found.failed(one.url);
  expect(picked(found)).toEqual(new Set([other.url]));
  await eventually(() => picked(found).size === 2);
});

test('a probe answered before an instance failed does not bring it back', async () => {
  const [one, other] = [await service(), await service()];
  one.status = 0;
  const found = watching([one, other], { probeMs: 60_000, timeoutMs: 60_000 });
  await eventually(() => one.unanswered.length === 1);
  found.failed(one.url);
  const answer = one.unanswered.pop()!;
  await new Promise((resolve) => answer.once('close', resolve).writeHead(200).end(readiness('shop')));
  // The client receives the response a moment later. Another call on the same machine takes longer, so it waits long
  // enough.
  await fetch(other.url);
  expect(picked(found)).toEqual(new Set([other.url]));
});

test('if no instance is ready, an instance is picked anyway', async () => {
  const [one, other] = [await service(), await service()];
  one.status = other.status = 503;
  const found = watching([one, other]);
  const all = new Set([one.url, other.url]);
  await eventually(() => one.asked > 2 && other.asked > 2);
  expect(picked(found)).toEqual(all);
  expect(routed(found)).toEqual(all);
});

test('if no instance is ready, a slow or unready instance is picked before an unreachable instance', async () => {
  const [stopping, busy, gone] = [await service(), await service(), await service()];
  const found = watching([stopping, busy, gone], { timeoutMs: 50 });
  [stopping.status, busy.status] = [503, 0];
  gone.gone();
  const left = new Set([stopping.url, busy.url]);
  await eventually(() => stopping.asked > 3 && busy.asked > 3 && picked(found).size === 2);
  expect([picked(found), routed(found)]).toEqual([left, left]);
  expect(found.pick(left)).toBe(gone.url);
  found.failed(stopping.url);
  expect(picked(found)).toEqual(new Set([busy.url]));
});

test('an instance that was tried without success is not picked again', async () => {
  const [one, other] = [await service(), await service()];
  const found = watching([one, other]);
  expect(found.pick(new Set([one.url]))).toBe(other.url);
  found.failed(other.url);
  expect(found.pick(new Set([one.url]))).toBe(other.url);
  expect(found.pick(new Set([one.url, other.url]))).toBeUndefined();
});

test('a single instance is not probed and never skipped', async () => {
  const one = await service();
  const found = watching([one]);
  found.failed(one.url);
  expect(picked(found)).toEqual(new Set([one.url]));
  expect(found.pick(new Set([one.url]))).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(one.asked).toBe(0);
});

test('without affinity, keys are spread over all instances', async () => {
  const found = watching([await service(), await service()], { affinity: 'off' });
  expect(new Set(Array.from({ length: 8 }, () => found.forKey(1))).size).toBe(2);
});

test.each([
  ['is of another service', readiness('warehouse')],
  ['does not name its service', '{"status":"ready"}'],
  ['does not answer like our services', '<html>hello</html>'],
  ['sends an endless answer', `{"status":"${'x'.repeat(100_000)}"}`],
])('an address that %s gets no requests, even if no other address is ready', async (_what, body) => {
  const [one, stranger] = [await service(), await service()];
  const found = watching([one, stranger]);
  stranger.body = body;
  await eventually(() => picked(found).size === 1 && found.pick(new Set([one.url])) === undefined);
  one.status = 503;
  await eventually(() => one.asked > 3);
  expect(picked(found)).toEqual(new Set([one.url]));
  expect(routed(found)).toEqual(new Set([one.url]));
  stranger.body = readiness('shop');
  await eventually(() => picked(found).has(stranger.url));
});

test('an instance has the id that it reported last', async () => {
  const [one, other] = [await service(), await service()];
  const found = watching([one, other]);
  other.body = readiness('shop', 'x2');
  await eventually(() => found.idOf(other.url) === 'x2');
  expect(found.idOf(one.url)).toBe('x1');
  other.body = readiness('shop', 'x3');
  await eventually(() => found.idOf(other.url) === 'x3');
  expect(found.idOf('http://127.0.0.1:1')).toBeUndefined();
});
