import { afterEach, expect, test } from 'vitest';
import { openTracer } from './opentelemetry.ts';
import { startTracing } from './start.ts';
import { testCollector, type TestCollector } from './testing.ts';
import {
  currentSpan,
  inSpan,
  isTracing,
  outsideSpans,
  parseTraceparent,
  startSpan,
  traced,
  useTracer,
  type Tracer,
} from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const BROWSER = '00f067aa0ba902b7';
const FROM_BROWSER = `00-${TRACE}-${BROWSER}-01`;

const closing: Array<() => unknown> = [];
afterEach(async () => {
  useTracer(undefined);
  for (const close of closing.splice(0).reverse()) await close();
});

interface Begun {
  tracer: Tracer;
  collector: TestCollector;
  /** Resolves with all spans that the collector received, once every span is sent. */
  flush(): Promise<TestCollector['spans']>;
}

async function begin({ ratio = 1 }: { ratio?: number } = {}): Promise<Begun> {
  const collector = await testCollector();
  closing.push(collector.close);
  const { tracer, stop } = openTracer({ service: 'test', endpoint: collector.url, ratio, warn: () => undefined });
  closing.push(stop);
  useTracer(tracer);
  return { tracer, collector, flush: async () => (await stop(), collector.spans) };
}

test('without a collector nothing is recorded, and work runs as usual', async () => {
  expect(await startTracing('test', {}, () => undefined)).toBeUndefined();
  expect(isTracing()).toBe(false);
  expect(startSpan('one', { parent: FROM_BROWSER })).toBeUndefined();
  expect(inSpan(undefined, () => [currentSpan()])).toEqual([undefined]);
  expect(await traced('two', { parent: FROM_BROWSER }, () => Promise.resolve(outsideSpans(() => 7)))).toBe(7);
});

test('a span is a child of the span in which its caller runs, across awaits', async () => {
  const { tracer, flush } = await begin();
  const root = tracer.start('GET /api/events', { kind: 'server' })!;
  await inSpan(root, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await traced('inner', { attributes: { count: 2 } }, async () => {
      expect(currentSpan()?.traceId).toBe(root.traceId);
    });
    expect(outsideSpans(() => startSpan('of nobody'))).toBeUndefined();
  });
  root.end();
  const spans = await flush();
  expect(spans.map(({ name }) => name)).toEqual(['inner', 'GET /api/events']);
  expect(spans[0]).toMatchObject({
    service: 'test',
    traceId: root.traceId,
    parentSpanId: spans[1]!.spanId,
    attributes: { count: 2 },
    hasFailed: false,
  });
  expect(spans[1]!.parentSpanId).toBe('');
});

test('a span is a child of the span that a message or header names, and links to other spans', async () => {
  const { flush } = await begin({ ratio: 0 });
  const other = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  startSpan('one', { parent: FROM_BROWSER, links: [other, 'no traceparent'] })!.end();
  const late = startSpan('two', { parent: FROM_BROWSER })!;
  late.link(other);
  late.end();
  const spans = await flush();
  const link = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  expect(spans).toMatchObject([
    { name: 'one', traceId: TRACE, parentSpanId: BROWSER, links: [link] },
    { name: 'two', traceId: TRACE, parentSpanId: BROWSER, links: [link] },
  ]);
});

test('an error is recorded by code or name, never by its message', async () => {
  const { collector, flush } = await begin();
  const failing = traced('one', { parent: FROM_BROWSER }, () => Promise.reject(new TypeError('ann@example.test')));
  await expect(failing).rejects.toThrow('ann@example.test');
  startSpan('two', { parent: FROM_BROWSER })!.end(Object.assign(new Error('secret'), { code: '57P01' }));
  expect(await flush()).toMatchObject([
    { hasFailed: true, attributes: { 'error.type': 'TypeError' } },
    { hasFailed: true, attributes: { 'error.type': '57P01' } },
  ]);
  expect(collector.bodies.join()).not.toMatch(/ann@|secret/);
});

test.each([
  ['nothing', undefined],
  ['no text', 7],
  ['another form', 'b3: 1-2-3'],
  ['no trace', `00-${'0'.repeat(32)}-${BROWSER}-01`],
  ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capital letters', FROM_BROWSER.toUpperCase()],
  ['an unknown version', `ff-${TRACE}-${BROWSER}-01`],
  ['something after it', `${FROM_BROWSER}-00`],
])('%s is not a traceparent', (_what, text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

test('a traceparent states whether its trace is recorded', async () => {
  expect(parseTraceparent(FROM_BROWSER)).toEqual({ traceId: TRACE, spanId: BROWSER, isSampled: true });
  const unsampled = `00-${TRACE}-${BROWSER}-00`;
  expect(parseTraceparent(unsampled)).toMatchObject({ isSampled: false });
  await begin();
  expect(startSpan('one', { parent: unsampled })).toBeUndefined();
});

test.each([
  [0, 0, 0],
  [0.2, 120, 280],
  [1, 1_000, 1_000],
])('new traces are recorded at the rate %d', async (ratio, least, most) => {
  const { tracer } = await begin({ ratio });
  const begun = Array.from({ length: 1_000 }, () => tracer.start('one', {})).filter(Boolean).length;
  expect(begun).toBeGreaterThanOrEqual(least);
  expect(begun).toBeLessThanOrEqual(most);
});

test('spans measured by the browser keep their ids and belong to the service "browser"', async () => {
  const { tracer, flush } = await begin({ ratio: 0 });
  tracer.record({ name: 'buy tickets', traceparent: FROM_BROWSER, start: 1_000, end: 1_500, hasFailed: true });
  startSpan('POST', { parent: FROM_BROWSER })!.end();
  const spans = await flush();
  expect(spans.find(({ service }) => service === 'browser')).toMatchObject({
    traceId: TRACE,
    spanId: BROWSER,
    parentSpanId: '',
    hasFailed: true,
  });
  expect(spans.find(({ service }) => service === 'test')).toMatchObject({ parentSpanId: BROWSER });
});

test('configured headers are decoded and sent to the collector', async () => {
  const { createServer } = await import('node:http');
  const heard: Array<string | undefined> = [];
  const server = createServer((req, res) => (heard.push(req.headers.authorization), res.end('{}')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as { port: number };
  const { tracer, stop } = openTracer({
    ...{ service: 'test', endpoint: `http://127.0.0.1:${port}/`, ratio: 1, warn: () => undefined },
    headers: 'authorization=Bearer%20abc,x-tenant=one',
  });
  tracer.start('one', {})!.end();
  await stop();
  server.closeAllConnections();
  expect(heard).toEqual(['Bearer abc']);
});
