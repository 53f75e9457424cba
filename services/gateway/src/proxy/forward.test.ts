import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { arrivingBodies } from '@beltway/kit/arriving-bodies';
import type { Instances } from '@beltway/kit/instances';
import { logger } from '@beltway/kit/logger';
import { eventually } from '@beltway/kit/testing';
import { readBodies } from '../inbound/bodies.ts';
import { concurrencyLimits } from '../inbound/concurrency.ts';
import { routeTable } from '../routes/table.ts';
import { forwardTo } from './forward.ts';

const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function unreachable(): Promise<string> {
  const url = await listen(() => undefined);
  closing.pop()!();
  return url;
}

/** Instances that are always tried in this order. */
function inOrder(...all: string[]) {
  const failed: string[] = [];
  const pick: Instances['pick'] = (except) => all.find((url) => !except?.has(url));
  return {
    service: 'tried',
    all,
    failed: (url: string) => void failed.push(url),
    pick,
    forKey: () => pick(),
    idOf: () => undefined,
    started: Promise.resolve(),
    stop: () => undefined,
    failures: failed,
  };
}

async function gateway(instances: Instances, log = logger('test', 'silent')): Promise<string> {
  const timeouts = { connectMs: 1_000, idleMs: 1_000 };
  const forward = forwardTo(
    'tried',
    instances,
    log,
    timeouts,
    undefined,
    undefined,
    routeTable({ isEmbedded: false, hasSandbox: false }).labelOf,
  );
  closing.push(forward.close);
  const small = arrivingBodies();
  const streamed = arrivingBodies();
  closing.push(small.stop, streamed.stop);
  const table = routeTable({ isEmbedded: false, hasSandbox: false });
  const read = readBodies({
    small,
    streamed,
    table,
    concurrency: concurrencyLimits({ table, trustedHops: 0, requests: Infinity, connections: Infinity }),
  });
  const app = express().use(read, (req, res) => void forward.handler(req, res));
  return listen(app as RequestListener);
}

test.each([0, 20, 60_000, 1_000_000])(
  'a body of %d bytes for an unreachable instance reaches the next instance completely',
  async (size) => {
    const heard: Buffer[] = [];
    const gone = await unreachable();
    const alive = await listen(async (req, res) => {
      heard.push(await buffer(req));
      res.end('had');
    });
    const instances = inOrder(gone, alive);
    const url = await gateway(instances);
    const body = Buffer.alloc(size, 'abc');
    const answer = await fetch(`${url}/api/events`, { method: 'POST', body });
    expect([answer.status, await answer.text()]).toEqual([200, 'had']);
    expect(heard).toEqual([body]);
    expect(instances.failures).toEqual([gone]);
  },
);

test('at most four instances are tried', async () => {
  const gone = await Promise.all(Array.from({ length: 4 }, unreachable));
  const alive = await listen((_req, res) => void res.end());
  const send = async (...all: string[]) => {
    const instances = inOrder(...all, alive);
    const { status } = await fetch(await gateway(instances), { method: 'POST', body: 'x' });
    return { status, failures: instances.failures };
  };
  expect(await send(...gone.slice(1))).toEqual({ status: 200, failures: gone.slice(1) });
  expect(await send(...gone)).toEqual({ status: 503, failures: gone });
});

test('only a GET or HEAD is repeated if it may have reached the service', async () => {
  let heard = 0;
  const breaking = await listen((req) => (heard++, req.socket.destroy()));
  const alive = await listen((_req, res) => void res.end());
  const url = await gateway(inOrder(breaking, alive));
  const send = async (method: string, body?: string) => (await fetch(url, { method, ...(body && { body }) })).status;
  expect(await send('GET')).toBe(200);
  expect(await send('HEAD')).toBe(200);
  expect(await send('POST', '{}')).toBe(503);
  expect(await send('DELETE')).toBe(503);
  expect(heard).toBe(4);
});

test('a GET whose connection broke is repeated once at the only instance', async () => {
  let heard = 0;
  const once = await listen((req, res) => (heard++ === 0 ? req.socket.destroy() : res.end('had')));
  const url = await gateway(inOrder(once));
  expect(await (await fetch(url)).text()).toBe('had');
  const twice = await listen((req) => (heard++, req.socket.destroy()));
  heard = 0;
  expect((await fetch(await gateway(inOrder(twice)))).status).toBe(503);
  expect(heard).toBe(2);
});

test.each([0, 1_000, 64 * 1_024, 5_000_000])(
  'an answer of %d bytes arrives completely, even at a slow reader',
  async (size) => {
    const sent = Buffer.alloc(size, 'beltway');
    const service = await listen((_req, res) => void res.setHeader('x-kind', 'picture').end(sent));
    const answer = await fetch(await gateway(inOrder(service)));
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk as Uint8Array);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
    expect([answer.headers.get('x-kind'), answer.headers.get('content-length')]).toEqual(['picture', String(size)]);
  },
);

test('answers without a length and without a body are passed on unchanged', async () => {
  const service = await listen((req, res) => {
    if (req.method === 'HEAD') return void res.setHeader('content-length', 7).end();
    if (req.url === '/none') return void res.writeHead(204).end();
    res.setHeader('set-cookie', ['a=1', 'b=2']);
    res.write('one ');
    setTimeout(() => res.end('two'), 20);
  });
  const url = await gateway(inOrder(service));
  const streamed = await fetch(url);
  expect([await streamed.text(), streamed.headers.getSetCookie()]).toEqual(['one two', ['a=1', 'b=2']]);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '7']);
  expect((await fetch(`${url}/none`, { method: 'DELETE' })).status).toBe(204);
});

test.each(['before the answer', 'in the middle of it'])(
  'the request to the service is aborted when the client leaves %s',
  async (when) => {
    const left = new AbortController();
    const heard = new Promise<void>((resolve) => {
      void listen((req, res) => {
        req.socket.once('close', resolve);
        if (when !== 'before the answer') res.write('begun');
        setTimeout(() => left.abort(), 20);
      }).then(async (service) => {
        const instances = inOrder(service);
        await fetch(await gateway(instances), { signal: left.signal })
          .then((answer) => answer.text())
          .catch(() => undefined);
        expect(instances.failures).toEqual([]);
      });
    });
    await heard;
  },
);

test('when a service breaks off an answer, the client’s connection is closed too', async () => {
  const service = await listen((req, res) => {
    res.writeHead(200, { 'content-length': 200_000 }).write(Buffer.alloc(100_000));
    setTimeout(() => req.socket.destroy(), 20);
  });
  const answer = await fetch(await gateway(inOrder(service)));
  await expect(answer.arrayBuffer()).rejects.toThrow();
});

test('a request without an answer is logged with its route; path and query may contain a secret', async () => {
  const log = logger('test', 'silent');
  const warn = vi.spyOn(log, 'warn');
  const url = await gateway(inOrder(await unreachable()), log);
  await fetch(`${url}/api/orders/secret-of-jim?key=secret-of-gail`);
  expect(warn.mock.calls[0]?.[0]).toMatchObject({ route: '/api/orders/{orderId}' });
  expect(JSON.stringify(warn.mock.calls.map(([line]) => ({ ...(line as object), err: null })))).not.toContain('secret');
});

test.each([
  ['60 kB', 60_000, true],
  ['1 MB', 1_000_000, false],
])('an answer of %s that its client does not read no longer occupies its service: %s', async (_size, bytes, isDone) => {
  const service = await listen((_req, res) => void res.end(Buffer.alloc(bytes)));
  const forward = forwardTo('tried', inOrder(service), logger('test', 'silent'), { connectMs: 1_000, idleMs: 5_000 });
  closing.push(forward.close);
  let done = false;
  let arrived = 0;
  let read = (): void => undefined;
  const url = await listen((req, res) => {
    // Corked, so that data stays in the gateway's own memory, not in the system's buffers.
    req.socket.cork();
    read = () => req.socket.uncork();
    const { write } = res;
    res.write = (chunk: Buffer) => ((arrived += chunk.length), write.call(res, chunk, 'utf8', () => undefined));
    void forward.handler(req, res).then(() => (done = true));
  });
  const answer = fetch(url).then((whole) => whole.arrayBuffer());
  await expect.poll(() => (isDone ? done : arrived > 65_536)).toBe(true);
  expect(done).toBe(isDone);
  read();
  expect((await answer).byteLength).toBe(bytes);
  await expect.poll(() => done).toBe(true);
});

test.each(['the client', 'the service'])(
  'when %s breaks off a large body at any point, both connections end',
  async (who) => {
    const open = new Set<unknown>();
    const heard = new Set<string>();
    const service = await listen((req, res) => {
      const name = String(req.headers['x-name']);
      heard.add(name);
      open.add(req);
      req.once('close', () => open.delete(req));
      let bytes = 0;
      req.on('data', ({ length }: Buffer) => {
        if ((bytes += length) > Number(name) * 40_000 && who === 'the service') req.socket.destroy();
      });
      req.on('error', () => undefined).on('end', () => res.end('whole'));
    });
    const url = await gateway(inOrder(service));

    /**
     * Sends 3.2 MB, or `n` pieces of it. Half of the clients leave when the service has received their request; the
     * other half leave immediately.
     */
    const upload = async (n: number) => {
      const left = new AbortController();
      async function* body() {
        for (let sent = 0; sent < 50; sent++) {
          if (who === 'the client' && sent === n) {
            if (n % 2 === 0) await vi.waitUntil(() => heard.has(String(n)), { timeout: 10_000 });
            left.abort();
          }
          yield Buffer.alloc(64_000);
        }
      }
      const init = { method: 'POST', headers: { 'x-name': String(n) }, duplex: 'half', signal: left.signal };
      return fetch(url, { ...init, body: body() } as unknown as RequestInit).then(
        async (answer) => (await answer.text(), answer.status),
        () => 'broken off',
      );
    };
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => upload(n + 1)));
    expect(new Set(outcomes)).not.toContain(200);
    expect(heard.size).toBeGreaterThanOrEqual(20);
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0);
  },
);

test('an answer waits for its reader only if its unread part exceeds the system’s buffers', async () => {
  const waited: string[] = [];
  const service = await listen((req, res) => void res.end(Buffer.alloc(req.url === '/small' ? 100_000 : 64_000_000)));
  const forward = forwardTo('read', inOrder(service), logger('test', 'silent'), { connectMs: 1_000, idleMs: 5_000 });
  closing.push(forward.close);
  const url = await listen((req, res) => void forward.handler(req, res, () => waited.push(req.url!)));

  expect((await (await fetch(`${url}/small`)).bytes()).length).toBe(100_000);
  expect(waited).toEqual([]);
  const unread = connect({ port: Number(new URL(url).port), host: '127.0.0.1' }).on('error', () => undefined);
  closing.push(() => void unread.destroy());
  unread.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => waited.includes('/large'), { what: 'the reader who does not read' });
});
