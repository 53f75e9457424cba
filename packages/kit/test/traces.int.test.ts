import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { envelope } from '@beltway/contracts/common/basics';
import { currentSpan, inSpan, useTracer } from '@beltway/tracing';
import { memoryTracer } from '@beltway/tracing/testing';
import { consume, onRepeatable } from '../src/bus/consume.ts';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { silent } from '../src/bus/bus.ts';
import { createServiceApp } from '../src/http/app.ts';
import { internalClient } from '../src/http/instances/internal.ts';
import { logger } from '../src/observe/logger.ts';
import { startPolling } from '../src/polling.ts';
import { openPool } from '../src/postgres/pool.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

const TRACE = 'a'.repeat(32);
const CALLER = `00-${TRACE}-${'b'.repeat(16)}-01`;

const closing: Array<() => unknown> = [];
afterEach(async () => {
  useTracer(undefined);
  for (const close of closing.splice(0).reverse()) await close();
});

const begin = () => {
  const kept = memoryTracer();
  useTracer(kept.tracer);
  return kept;
};

async function listen(routes: (app: Express) => void, log = pino({ level: 'silent' })): Promise<string> {
  const server = createServer(createServiceApp({ log, service: 'test', routes }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ text: 'x'.repeat(50_000) }),
  });

test('a request is a span named after its route, and includes awaited work, even after its body', async () => {
  const { spans } = begin();
  const seen: Array<string | undefined> = [];
  const lines: string[] = [];
  const log = logger('test', 'info', { write: (line: string) => void lines.push(line) } as never);
  const url = await listen((app) => {
    app.post('/orders/:id', async (_req, res) => {
      await pause(1);
      seen.push(currentSpan()?.traceId);
      log.info('within');
      res.status(201).json({});
    });
  }, log);
  await post(`${url}/orders/secret-7?key=secret`, { traceparent: CALLER });
  await post(`${url}/orders/8`);
  await eventually(() => spans[0]?.hasEnded ?? false);
  expect(seen).toEqual([TRACE, undefined]);
  expect(spans).toMatchObject([
    { name: 'POST /orders/:id', options: { parent: CALLER }, attributes: { 'http.response.status_code': 201 } },
  ]);
  expect(JSON.stringify(spans)).not.toContain('secret');
  const told = lines.map((line) => JSON.parse(line) as { msg: string; traceId?: string });
  await eventually(() => lines.length === 4);
  expect(told.filter(({ msg }) => msg === 'within').map(({ traceId }) => traceId)).toEqual([TRACE, undefined]);
  expect(lines.filter((line) => line.includes('"request"') && line.includes(TRACE))).toHaveLength(1);
});

test('a server error marks its span as failed, a refusal does not, and an unknown path has no name', async () => {
  const { spans } = begin();
  const url = await listen((app) => {
    app.post('/broken', () => {
      throw new Error('a bug');
    });
  });
  await post(`${url}/broken`, { traceparent: CALLER });
  await post(`${url}/not-here/ann@example.test`, { traceparent: CALLER });
  await eventually(() => spans.length === 2 && spans.every(({ hasEnded }) => hasEnded));
  expect(spans.map(({ name, error }) => [name, error])).toEqual([
    ['POST /broken', { code: '500' }],
    ['POST unmatched', undefined],
  ]);
});

test('a call to another service continues the trace of its caller', async () => {
  begin();
  const heard: Array<string | undefined> = [];
  const url = await listen((app) => {
    app.get('/internal/x', (req, res) => {
      heard.push(req.get('traceparent'));
      res.json({});
    });
  });
  const client = internalClient(url, 'x'.repeat(32));
  const { tracer } = memoryTracer();
  const span = tracer.start('work', {})!;
  await inSpan(span, () => client.get('/internal/x'));
  await client.get('/internal/x');
  expect(heard).toEqual([span.traceparent, undefined]);
});

const Said = z.object({ ...envelope, type: z.literal('test.said'), version: z.literal(1), data: z.object({}) });

test('a message is handled in its own trace, each attempt in a span', async () => {
  const { spans } = begin();
  const [busDatabase, database] = await Promise.all([
    testDatabase([new URL('../migrations/bus', import.meta.url).pathname]),
    testDatabase([new URL('../migrations/inbox', import.meta.url).pathname]),
  ]);
  const bus = await openEmbeddedBus({ url: busDatabase.url });
  const pool = openPool(database.url);
  closing.push(
    database.drop,
    busDatabase.drop,
    () => pool.end(),
    () => bus.close(),
  );
  const topic = `test-${randomUUID()}`;
  const group = `group-${randomUUID()}`;
  const seen: Array<string | undefined> = [];
  let tries = 0;
  const consumer = await consume({
    ...{ bus, pool, log: silent, group, topics: [topic], pauses: [1] },
    handlers: {
      'test.said': onRepeatable(Said, async () => {
        seen.push(currentSpan()?.traceId);
        if (++tries === 1) throw new TypeError('ann@example.test');
      }),
    },
  });
  closing.push(consumer.stop);
  const said = () => ({
    ...{ id: randomUUID(), type: 'test.said', version: 1, key: 'a', occurredAt: new Date().toISOString() },
    ...{ correlationId: 'c', causationId: 'c', data: {} },
  });
  await bus.publish(topic, [{ ...said(), traceparent: CALLER }, said()]);
  await eventually(() => tries === 3);
  expect(seen).toEqual([TRACE, TRACE, undefined]);
  expect(spans).toMatchObject([
    { name: 'process test.said', options: { parent: CALLER }, error: expect.any(TypeError) },
    { name: 'process test.said', options: { parent: CALLER }, error: undefined },
  ]);
  expect(spans[0]!.attributes).toEqual({
    'messaging.consumer.group.name': group,
    'messaging.destination.name': topic,
  });
});

test('a poll that a request wakes is not in the trace of that request', async () => {
  begin();
  const { tracer } = memoryTracer();
  const seen: unknown[] = [];
  const poller = startPolling(pino({ level: 'silent' }), 'test', 60_000, async () => (seen.push(currentSpan()), false));
  closing.push(poller.stop);
  inSpan(tracer.start('request', {}), () => poller.wake());
  await eventually(() => seen.length === 1);
  expect(seen).toEqual([undefined]);
});
