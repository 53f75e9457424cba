import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createServiceApp } from './app.ts';
import { logger } from './logger.ts';
import { unavailable } from './problems.ts';
import { gate } from './overload.ts';
import { eventually } from './testing.ts';

const servers: Server[] = [];
afterEach(() =>
  Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()))),
  ),
);

/** A service whose `/slow` answers when told to. */
async function service(mostAtOnce: number) {
  const open: Array<() => void> = [];
  const app = createServiceApp({
    log: logger('test', 'silent'),
    mostAtOnce,
    routes: (router) => {
      router.get('/slow', (_req, res) => void open.push(() => res.json('done')));
      router.get('/bare', () => {
        throw unavailable('Away.');
      });
    },
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { open, ask: (path: string, signal?: AbortSignal) => fetch(url + path, signal ? { signal } : {}) };
}

test('beyond what it may hold a service answers 503 at once with Retry-After, and finishes what it took', async () => {
  const { open, ask } = await service(3);
  const taken = [ask('/slow'), ask('/slow'), ask('/slow')];
  await eventually(() => open.length === 3);
  const refused = await ask('/slow');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
  expect(open).toHaveLength(3);
  // Who asks whether it lives is answered all the same.
  expect((await ask('/health/live')).status).toBe(200);
  open.forEach((finish) => finish());
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const next = ask('/slow');
  await eventually(() => open.length === 4);
  open[3]!();
  expect((await next).status).toBe(200);
});

test('who hangs up gives his place back', async () => {
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

test('a gate counts', () => {
  const door = gate(2);
  const leave = door.enter();
  door.enter();
  expect(() => door.enter()).toThrow(expect.objectContaining({ status: 503, retryAfter: 1 }));
  leave();
  expect(door.inside()).toBe(1);
  door.enter();
});
