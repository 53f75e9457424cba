import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createServiceApp } from '../app.ts';
import { logger } from '../../observe/logger.ts';
import { unavailable } from '../problems.ts';
import { limitConcurrency, eventLoopWatch, gate, gatesByKey } from './overload.ts';
import { eventually } from '../../testing/testing.ts';

const servers: Server[] = [];
afterEach(() =>
  Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()))),
  ),
);

/** A service whose `/slow` route responds only when the test completes it. */
async function service(maxConcurrent: number) {
  const open: Array<() => void> = [];
  const app = createServiceApp({
    service: 'test',
    log: logger('test', 'silent'),
    maxConcurrent,
    routes: (router) => {
      router.get('/slow', (_req, res) => void open.push(() => res.json('done')));
      router.get('/bare', () => {
        throw unavailable('part-away');
      });
    },
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { open, ask: (path: string, signal?: AbortSignal) => fetch(url + path, signal ? { signal } : {}) };
}

test('beyond its limit a service answers 503 immediately and finishes accepted requests', async () => {
  const { open, ask } = await service(3);
  const taken = [ask('/slow'), ask('/slow'), ask('/slow')];
  await eventually(() => open.length === 3);
  const refused = await ask('/slow');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
  expect(open).toHaveLength(3);
  // Liveness probes get a response even during overload.
  expect((await ask('/health/live')).status).toBe(200);
  open.forEach((finish) => finish());
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const next = ask('/slow');
  await eventually(() => open.length === 4);
  open[3]!();
  expect((await next).status).toBe(200);
});

test('a client that hangs up frees its slot', async () => {
  const { open, ask } = await service(1);
  const leaving = new AbortController();
  const left = ask('/slow', leaving.signal).catch(() => 'left');
  await eventually(() => open.length === 1);
  leaving.abort();
  expect(await left).toBe('left');
  await eventually(async () => {
    const next = ask('/slow');
    await Promise.race([next, eventually(() => open.length === 2)]);
    if (open.length < 2) return false;
    open[1]!();
    return (await next).status === 200;
  });
});

test('a gate counts requests', () => {
  const door = gate(2);
  const leave = door.enter();
  door.enter();
  expect(() => door.enter()).toThrow(expect.objectContaining({ status: 503, retryAfter: 1 }));
  leave();
  expect(door.inside()).toBe(1);
  door.enter();
});

/**
 * A gate of at most 500 requests and two seconds, on a fake clock, with a queue of requests that wait for a response.
 */
function queue() {
  let now = 0;
  const door = gate(500, { maxWaitMs: 2_000, clock: () => now });
  const waiting: Array<() => void> = [];
  return {
    inside: door.inside,
    /** Admits up to `count` requests; returns how many were admitted. */
    come: (count: number) => {
      const before = door.inside();
      for (let n = 0; n < count; n++)
        try {
          waiting.push(door.enter());
        } catch (error) {
          expect(error).toMatchObject({ status: 503, retryAfter: 1 });
        }
      return door.inside() - before;
    },
    /**
     * Simulates `seconds`. In each second, a hundred requests get a response, oldest first, and `come` requests arrive.
     */
    pass: (seconds: number, come: number) => {
      for (let tick = 0; tick < seconds * 100; tick++) {
        now += 10;
        waiting.shift()?.();
        for (let n = 0; n < come / 100; n++)
          try {
            waiting.push(door.enter());
          } catch {
            // rejected
          }
      }
    },
  };
}

test('while most responses are too slow, a gate admits as many requests as get a response in time', () => {
  const { come, pass, inside } = queue();
  expect(come(500)).toBe(500);
  pass(6, 300);
  expect(inside()).toBeGreaterThan(150);
  expect(inside()).toBeLessThanOrEqual(260);
  pass(60, 300);
  expect(inside()).toBeLessThanOrEqual(260);
});

test('when responses are fast again, a gate admits as many requests as before', () => {
  const { come, pass, inside } = queue();
  come(500);
  pass(10, 300);
  expect(inside()).toBeLessThan(300);
  pass(10, 0);
  expect(inside()).toBe(0);
  expect(come(500)).toBe(500);
});

test('a slow call among fast calls does not lower the limit, and a few slow calls alone do not either', () => {
  let now = 0;
  const door = gate(500, { maxWaitMs: 2_000, clock: () => now });
  const slow = door.enter();
  for (let n = 0; n < 100; n++) {
    const leave = door.enter();
    now += 100;
    leave();
  }
  slow();
  const few = Array.from({ length: 32 }, () => door.enter());
  now += 30_000;
  few.forEach((leave) => leave());
  now += 30_000;
  expect(() => Array.from({ length: 32 }, () => door.enter())).not.toThrow();
});

test('a client that disconnected before the gate takes no slot', () => {
  const gone = new ServerResponse(new IncomingMessage(new Socket()));
  gone.destroyed = true;
  const door = limitConcurrency(1);
  let letIn = 0;
  const come = (res: ServerResponse) => door({} as never, res as never, () => letIn++);
  come(gone);
  come(new ServerResponse(new IncomingMessage(new Socket())));
  expect(letIn).toBe(1);
});

test('gates count each key separately, and leaving twice counts once', () => {
  const enter = gatesByKey(2);
  const first = enter('a')!;
  enter('a');
  expect(enter('a')).toBeUndefined();
  expect(enter('b')).toBeDefined();
  first();
  first();
  expect(enter('a')).toBeDefined();
  expect(enter('a')).toBeUndefined();
});

test('while the process is overloaded, a gate admits 32 requests', () => {
  let isBehind = true;
  const door = gate(500, { isBehind: () => isBehind });
  for (let n = 0; n < 32; n++) door.enter();
  expect(() => door.enter()).toThrow(expect.objectContaining({ status: 503, retryAfter: 1 }));
  isBehind = false;
  door.enter();
  expect(door.inside()).toBe(33);
});

test('an event loop that is blocked repeatedly is behind, and soon recovers', async () => {
  const watch = eventLoopWatch();
  try {
    let blocked = true;
    const block = () => {
      for (const until = performance.now() + 800; performance.now() < until;);
      if (blocked) setTimeout(block);
    };
    block();
    await eventually(() => watch.isBehind(), { what: 'being behind' });
    blocked = false;
    await eventually(() => !watch.isBehind(), { what: 'having caught up' });
  } finally {
    watch.stop();
  }
});
