import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { CommandReused, Overloaded, Rejected } from '@beltway/event-store';
import type { Instances } from '@beltway/kit/instances';
import { logger } from '@beltway/kit/logger';
import { problems } from '@beltway/kit/problems';
import type { SaleCommand } from './command.ts';
import { forwardedCommands, openRouting, routedSales } from './route-to-instance.ts';
import type { Sales } from './stream.ts';

const TOKEN = 'x'.repeat(32);
const log = logger('test', 'silent');
const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

const hold: SaleCommand = {
  type: 'HoldTickets',
  orderId: '0b8f9a4e-7a3c-4f7e-9d1f-1c2b3a4d5e6f',
  wanted: [{ type: 'general', quantity: 2 }],
  buyerId: null,
  at: '2030-01-01T00:00:00.000Z',
};
const context = { commandId: 'command-1', fingerprint: 'f', correlationId: 'c' };

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Fake sales that return the name of the instance that decided, or throw. */
function sales(by: string, fault?: Error) {
  const heard: unknown[] = [];
  const handle = (...call: unknown[]) => {
    heard.push(call);
    return fault ? Promise.reject(fault) : Promise.resolve({ version: 7, events: [by], repeated: false });
  };
  return { heard, sales: { handle } as unknown as Sales };
}

const instanceOf = (local: Sales) =>
  listen(express().use(express.json(), forwardedCommands(local, TOKEN), problems(log)));

function at(target: string, local: Sales, self = 'http://self') {
  const failed: string[] = [];
  const instances = {
    all: [target, self],
    forKey: () => target,
    idOf: (url: string) => (url === self ? 'self' : undefined),
    failed: (url: string) => failed.push(url),
  } as unknown as Instances;
  return { failed, ...routedSales({ local, instances, self: 'self', internalToken: TOKEN, log, timeoutMs: 1_000 }) };
}

test('a command is sent unchanged to the instance to which its sale is routed, and decided there', async () => {
  const peer = sales('peer');
  const own = sales('self');
  const here = at(await instanceOf(peer.sales), own.sales);
  expect(await here.handle(42, hold, context)).toEqual({ version: 7, events: ['peer'], repeated: false });
  expect(peer.heard).toEqual([[42, hold, context]]);
  expect(own.heard).toEqual([]);
});

test('the instance to which a sale is routed decides its commands itself', async () => {
  const own = sales('self');
  const here = at('http://self', own.sales);
  expect((await here.handle(42, hold, context)).events).toEqual(['self']);
});

test.each([
  ['a refusal', new Rejected('sold-out', 'Nothing is left.')],
  ['a reused key', new CommandReused()],
  ['too much work', new Overloaded()],
])('%s is thrown here as at the other instance, and the command is not repeated', async (_what, fault) => {
  const own = sales('self');
  const here = at(await instanceOf(sales('peer', fault).sales), own.sales);
  const thrown = await here.handle(42, hold, context).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(fault.constructor);
  expect(thrown).toMatchObject({
    name: fault.name,
    ...(fault instanceof Rejected && { code: fault.code, message: fault.message }),
  });
  expect(own.heard).toEqual([]);
});

test('a command is decided here if the other instance is gone, hangs, fails or runs another version; an instance that is gone is reported', async () => {
  const gone = await listen(() => undefined);
  closing.pop()!();
  const others = [
    await listen(() => undefined),
    await listen((req) => req.socket.destroy()),
    await listen((_req, res) => res.writeHead(404).end()),
    await listen((_req, res) => res.writeHead(200).end('<html>')),
    await instanceOf(sales('peer', new Error('a bug')).sales),
  ];
  for (const url of [gone, ...others]) {
    const own = sales('self');
    const here = at(url, own.sales);
    expect((await here.handle(42, hold, context)).events).toEqual(['self']);
    expect(own.heard).toEqual([[42, hold, context]]);
    expect(here.failed).toEqual(url === gone ? [gone] : []);
  }
});

test('if a hanging instance may still grant a command, it is not refused here: the client is asked to retry', async () => {
  const refusal = new Rejected('sold-out', 'Nothing is left.');
  const here = at(await listen(() => undefined), sales('self', refusal).sales);
  await expect(here.handle(42, hold, context)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  const gone = await listen(() => undefined);
  closing.pop()!();
  await expect(at(gone, sales('self', refusal).sales).handle(42, hold, context)).rejects.toBe(refusal);
});

test('a forwarded command is decided by the instance that receives it and never forwarded again; only our own services may forward', async () => {
  const own = sales('self');
  const url = await instanceOf(own.sales);
  const send = (body: unknown, token = TOKEN, path = '/internal/sales/42/commands') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-token': token },
      body: JSON.stringify(body),
    });
  expect((await send({ command: hold, context })).status).toBe(200);
  expect((await send({ command: hold, context }, 'y'.repeat(32))).status).toBe(403);
  expect((await send({ command: { ...hold, quantity: -1 }, context })).status).toBe(400);
  expect((await send({ command: hold, context: {} })).status).toBe(400);
  expect((await send({ command: hold, context }, TOKEN, '/internal/sales/x/commands')).status).toBe(400);
  expect(own.heard).toHaveLength(1);
});

test('with one instance, or if routing is off, sales are local', async () => {
  const { sales: local } = sales('self');
  const urls = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const open = (change: object) =>
    openRouting(
      {
        config: {
          TICKETING_URL: urls,
          BELTWAY_SALE_ROUTING: 'on' as const,
          INTERNAL_TOKEN: [TOKEN] as [string],
          ...change,
        },
        log,
        onStop: (...parts) => void closing.push(...parts.map((part) => () => 'stop' in part && part.stop())),
      },
      local,
    );
  expect(await open({ TICKETING_URL: urls.slice(1) })).toBe(local);
  expect(await open({ TICKETING_URL: undefined })).toBe(local);
  expect(await open({ BELTWAY_SALE_ROUTING: 'off' })).toBe(local);
  expect(await open({})).not.toBe(local);
});
