import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { Instances } from '@beltway/kit/instances';
import { logger } from '@beltway/kit/logger';
import { forwardTo } from './forward.ts';

const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function nobody(): Promise<string> {
  const url = await listen(() => undefined);
  closing.pop()!();
  return url;
}

/** Always in this order. */
function inOrder(...all: string[]) {
  const failed: string[] = [];
  const pick: Instances['pick'] = (except) => all.find((url) => !except?.has(url));
  return {
    all,
    failed: (url: string) => void failed.push(url),
    pick,
    ownerOf: () => pick(),
    stop: () => undefined,
    failures: failed,
  };
}

async function gateway(instances: Instances): Promise<string> {
  const forward = forwardTo('tried', instances, logger('test', 'silent'), { connectMs: 1_000, idleMs: 1_000 });
  closing.push(forward.close);
  return listen((req, res) => void forward.handler(req, res, () => undefined));
}

test.each([0, 20, 60_000, 1_000_000])(
  'a body of %d bytes that finds nobody reaches the next instance whole',
  async (size) => {
    const heard: Buffer[] = [];
    const gone = await nobody();
    const alive = await listen(async (req, res) => {
      heard.push(await buffer(req));
      res.end('had');
    });
    const instances = inOrder(gone, alive);
    const url = await gateway(instances);
    const body = Buffer.alloc(size, 'abc');
    const answer = await fetch(url, { method: 'POST', body });
    expect([answer.status, await answer.text()]).toEqual([200, 'had']);
    expect(heard).toEqual([body]);
    expect(instances.failures).toEqual([gone]);
  },
);

test('two instances are tried, not more', async () => {
  const [one, two] = [await nobody(), await nobody()];
  const alive = await listen((_req, res) => void res.end());
  const instances = inOrder(one, two, alive);
  expect((await fetch(await gateway(instances), { method: 'POST', body: 'x' })).status).toBe(503);
  expect(instances.failures).toEqual([one, two]);
});

test('what may have arrived is not sent again unless it changes nothing', async () => {
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
