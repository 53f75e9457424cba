import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isTransient } from '../../postgres/transient.ts';
import { dnsServer } from '../../testing/dns.ts';
import { freePort } from '../../testing/free-ports.ts';
import { eventually } from '../../testing/testing.ts';
import { fetchFrom, instances, mayBeSeveral, type Instances, type InstancesOptions } from './instances.ts';
import { perInstance } from './per-instance.ts';

const NAME = 'shop.test';
const closing: Array<() => unknown> = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});

let dns: Awaited<ReturnType<typeof dnsServer>>;
let port: number;
beforeEach(async () => {
  dns = await dnsServer();
  closing.push(dns.close);
  port = await freePort();
});

const at = (host: string) => `http://${host}:${port}`;

/**
 * A server at an IP address, on the port that all instances share. It collects all requests except readiness probes.
 */
async function listening(address: string, service = 'shop') {
  const state = { url: at(address), status: 200, probes: 0, heard: [] as IncomingMessage[], service };
  const server = createServer((req, res) => {
    if (req.url === '/health/ready') state.probes++;
    else state.heard.push(req);
    const id = address.replaceAll('.', '_');
    res.writeHead(state.status).end(JSON.stringify({ service: state.service, instance: `at_${id}` }));
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const die = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  closing.push(die);
  return Object.assign(state, { die });
}

function follow(options: Partial<InstancesOptions> = {}): Instances {
  const timing = { probeMs: 10, timeoutMs: 2_000, lookupMs: 20 };
  const found = instances({ service: 'shop', urls: [at(NAME)], lookup: dns.lookup, ...timing, ...options });
  closing.push(found.stop);
  return found;
}

const picked = (from: Instances) => new Set(Array.from({ length: 8 }, () => from.pick()));
const routed = (from: Instances) => new Set(Array.from({ length: 100 }, (_, id) => from.forKey(id)));

test('a name resolves to the instances at its addresses and follows DNS', async () => {
  const [one, two, three] = await Promise.all(['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((ip) => listening(ip)));
  dns.names.set(NAME, ['127.0.0.2']);
  const found = follow();
  await found.started;
  expect([found.all, picked(found), found.idOf(one!.url)]).toEqual([[one!.url], new Set([one!.url]), 'at_127_0_0_2']);

  dns.names.set(NAME, ['127.0.0.4', '127.0.0.2', '127.0.0.3']);
  const all = new Set([one!.url, two!.url, three!.url]);
  await eventually(() => picked(found).size === 3);
  expect([picked(found), routed(found)]).toEqual([all, all]);

  dns.names.set(NAME, ['127.0.0.3']);
  await eventually(() => found.all.length === 1);
  expect([found.all, picked(found), routed(found)]).toEqual([[two!.url], new Set([two!.url]), new Set([two!.url])]);
  const probes = one!.probes;
  await eventually(() => two!.probes > 20);
  expect(one!.probes).toBeLessThanOrEqual(probes + 1);
});

test('an address gets no requests until it reports that it is ready and belongs to this service', async () => {
  const [one, starting, stranger] = [
    await listening('127.0.0.2'),
    await listening('127.0.0.3'),
    await listening('127.0.0.4', 'warehouse'),
  ];
  starting.status = 503;
  dns.names.set(NAME, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']);
  const found = follow();
  await found.started;
  for (let n = 0; n < 20; n++) await fetchFrom(found, '/x', {});
  expect([one.heard.length, starting.heard.length, stranger.heard.length]).toEqual([20, 0, 0]);
  // If no instance is ready, requests go to any instance of this service, but to no other address.
  one.status = 503;
  await eventually(() => routed(found).size === 2);
  for (let n = 0; n < 20; n++) await fetchFrom(found, '/x', {});
  expect(stranger.heard).toEqual([]);
  expect(picked(found)).toEqual(new Set([one.url, starting.url]));
});

test.each([
  ['does not know the name', () => dns.names.delete(NAME)],
  ['has no address for it', () => dns.names.set(NAME, [])],
  ['fails', () => (dns.fault = 'SERVFAIL')],
  ['is silent', () => (dns.fault = 'silence')],
])('while DNS %s, known instances stay, and probes decide which are ready', async (_what, breakDown) => {
  const [one, two] = [await listening('127.0.0.2'), await listening('127.0.0.3')];
  dns.names.set(NAME, ['127.0.0.2', '127.0.0.3']);
  const found = follow();
  await found.started;
  breakDown();
  await eventually(() => two.probes > 50);
  expect(picked(found)).toEqual(new Set([one.url, two.url]));
  one.status = 503;
  await eventually(() => picked(found).size === 1);
  one.status = 200;
  await eventually(() => picked(found).size === 2);

  dns.fault = undefined;
  dns.names.set(NAME, ['127.0.0.4']);
  const three = await listening('127.0.0.4');
  await eventually(() => found.all.length === 1);
  expect(found.all).toEqual([three.url]);
});

test('a wrong DNS answer removes no healthy instance; an old instance is removed when its probe fails', async () => {
  const [one, two] = [await listening('127.0.0.2'), await listening('127.0.0.3')];
  await listening('127.0.0.4', 'warehouse');
  dns.names.set(NAME, ['127.0.0.2', '127.0.0.3']);
  const found = follow();
  await found.started;
  dns.names.set(NAME, ['127.0.0.4', '127.0.0.5']);
  await eventually(() => found.all.length === 4);
  await eventually(() => two.probes > 20);
  expect(picked(found)).toEqual(new Set([one.url, two.url]));
  await one.die();
  await eventually(() => !found.all.includes(one.url));
  expect(picked(found)).toEqual(new Set([two.url]));
});

test('without any DNS answer a call fails transiently, and the first answer ends that', async () => {
  const found = follow();
  await found.started;
  expect([found.all, found.pick(), found.forKey(1)]).toEqual([[], undefined, undefined]);
  const fault = await fetchFrom(found, '/x', {}).catch((error: unknown) => error);
  expect(isTransient(fault)).toBe(true);
  const one = await listening('127.0.0.2');
  dns.names.set(NAME, ['127.0.0.2']);
  await eventually(() => found.pick() === one.url);
});

test('an instance that could not be reached is skipped immediately', async () => {
  const [one, two] = [await listening('127.0.0.2'), await listening('127.0.0.3')];
  dns.names.set(NAME, ['127.0.0.2', '127.0.0.3']);
  const found = follow({ probeMs: 200 });
  await found.started;
  found.failed(one.url);
  expect(picked(found)).toEqual(new Set([two.url]));
  await eventually(() => picked(found).size === 2);
});

test('if a name has IPv4 addresses, only these are used; IPv6 addresses are in brackets', async () => {
  dns.names.set(NAME, ['127.0.0.2', '::2']).set('six.test', ['::3', '::2']);
  const both = follow();
  await eventually(() => both.all.length > 0);
  expect(both.all).toEqual([at('127.0.0.2')]);
  const six = follow({ urls: [at('six.test')] });
  await eventually(() => six.all.length > 0);
  expect(six.all).toEqual([at('[::2]'), at('[::3]')]);
});

test('an IP address that does not fit in a URL does not remove the other IP addresses', async () => {
  const lookup = async () => ['fe80::1%eth0', '::2'].map((address) => ({ address, family: 6 }));
  const found = follow({ lookup });
  await eventually(() => found.all.length > 0);
  expect(found.all).toEqual([at('[::2]')]);
});

test('a list may contain names and IP addresses; all callers use the same 64 IP addresses of a name', async () => {
  const one = await listening('127.0.0.2');
  const many = Array.from({ length: 100 }, (_, n) => `127.0.1.${n + 1}`);
  dns.names.set(NAME, ['127.0.0.2']).set('many.test', many).set('nearly.test', many.toReversed());
  const found = follow({ urls: [at('127.0.0.9'), at(NAME)] });
  await found.started;
  await eventually(() => picked(found).size === 1);
  expect([found.all, found.pick()]).toEqual([[one.url, at('127.0.0.9')], one.url]);
  const [many1, many2] = [follow({ urls: [at('many.test')] }), follow({ urls: [at('nearly.test')] })];
  await eventually(() => many1.all.length > 0 && many2.all.length > 0);
  expect(many1.all).toHaveLength(64);
  expect(many2.all).toEqual(many1.all);
});

test('IP addresses, localhost and https URLs are not looked up', async () => {
  const urls = ['http://127.0.0.1:1', 'http://[::1]:1', 'http://localhost:1', 'https://shop.test'];
  const lookup = vi.fn(() => Promise.reject(new Error('asked')));
  const found = follow({ urls, lookup });
  await found.started;
  expect(found.all).toEqual(urls.toSorted());
  expect(lookup).not.toHaveBeenCalled();
  expect([...urls, 'http://shop'].map((url) => mayBeSeveral([url]))).toEqual([false, false, false, false, true]);
});

test('a hanging resolver delays a start by five seconds and is not asked again; a late answer counts', async () => {
  const late = Promise.withResolvers<Array<{ address: string; family: number }>>();
  const lookup = vi.fn(() => late.promise);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const found = follow({ lookup });
  const started = vi.fn();
  void found.started.then(started);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(started).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveBeenCalled();
  expect(lookup).toHaveBeenCalledTimes(1);
  late.resolve([{ address: '127.0.0.2', family: 4 }]);
  await vi.advanceTimersByTimeAsync(0);
  expect(found.all).toEqual([at('127.0.0.2')]);
});

test('resources of an instance are closed when it is gone', async () => {
  await Promise.all(['127.0.0.2', '127.0.0.3'].map((ip) => listening(ip)));
  dns.names.set(NAME, ['127.0.0.2', '127.0.0.3']);
  const found = follow();
  await found.started;
  const gone: string[] = [];
  const kept = perInstance(
    found,
    (url) => ({ url }),
    ({ url }) => void gone.push(url),
  );
  const first = kept.get(at('127.0.0.2'));
  expect(kept.get(at('127.0.0.2'))).toBe(first);
  kept.get(at('127.0.0.3'));
  dns.names.set(NAME, ['127.0.0.3']);
  await eventually(() => found.all.length === 1);
  kept.get(at('127.0.0.3'));
  expect([gone, [...kept.values()]]).toEqual([[at('127.0.0.2')], [{ url: at('127.0.0.3') }]]);
});
