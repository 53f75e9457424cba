import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { useTracer } from '@beltway/tracing';
import { memoryTracer } from '@beltway/tracing/testing';
import { startGateway, type TestGateway } from './gateway.ts';
import { holdsIn } from './stand-in.ts';

const TRACE = 'a'.repeat(32);
const BROWSER = 'b'.repeat(16);
const sampled = (n = 0) => `00-${TRACE.slice(4)}${n.toString(16).padStart(4, '0')}-${BROWSER}-01`;
const unsampled = `00-${TRACE}-${BROWSER}-00`;
const PURCHASE = '/api/process-ticket-purchase';

let gateway: TestGateway;
let kept: ReturnType<typeof memoryTracer>;
const begin = async (ratio: number) => {
  kept = memoryTracer(ratio);
  useTracer(kept.tracer);
  gateway = await startGateway();
};
const heardOf = (path: string) =>
  gateway.behind.payments.heard.concat(gateway.behind.ticketing.heard).filter(({ url }) => url.startsWith(path));

describe('where every trace is recorded', () => {
  beforeAll(() => begin(1));
  afterEach(() => {
    gateway.behind.ticketing.reset();
    gateway.behind.payments.reset();
    kept.spans.length = 0;
    kept.measured.length = 0;
  });
  afterAll(async () => {
    await gateway.stop();
    useTracer(undefined);
  });

  test('a request continues its browser’s trace; the span is named after the route, without the query', async () => {
    await gateway.post(
      `${PURCHASE}?key=secret`,
      { paymentIntentId: 'pi_secret' },
      { traceparent: sampled(), tracestate: 'evil=1', baggage: 'user=ann' },
    );
    await eventually(() => kept.spans[0]?.hasEnded ?? false);
    const [span] = kept.spans;
    expect(span).toMatchObject({ name: `POST ${PURCHASE}`, options: { parent: sampled(), kind: 'server' } });
    expect(span!.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': PURCHASE,
      'http.response.status_code': 200,
    });
    const [heard] = heardOf(PURCHASE);
    expect(heard!.headers).toMatchObject({ traceparent: span!.traceparent });
    expect(heard!.headers).not.toHaveProperty('tracestate');
    expect(heard!.headers).not.toHaveProperty('baggage');
    expect(JSON.stringify(kept.spans)).not.toMatch(/secret|ann/);
  });

  test('each hold of a batch has its own span', async () => {
    const hold = (n: number) =>
      gateway.post(
        '/api/holds',
        { eventId: 1, quantity: 1 },
        { 'idempotency-key': `key-12345678-${n}`, traceparent: sampled(n) },
      );
    await Promise.all([hold(1), hold(2), hold(3)]);
    const named = gateway.behind.ticketing.heard
      .flatMap(holdsIn)
      .map(({ key, traceparent }) => [key.at(-1), traceparent]);
    const spanOf = (n: number) => kept.spans.find(({ options }) => options.parent === sampled(n))!.traceparent;
    expect(new Map(named as Array<[string, string]>)).toEqual(new Map([1, 2, 3].map((n) => [String(n), spanOf(n)])));
    await eventually(() => kept.spans.every(({ hasEnded }) => hasEnded));
  });

  test('without a browser’s trace one begins here; clients can turn recording off', async () => {
    await gateway.post(PURCHASE, {});
    await gateway.post(PURCHASE, {}, { traceparent: unsampled });
    expect(kept.spans.map(({ options }) => options.parent)).toEqual([undefined]);
    expect(heardOf(PURCHASE).map(({ headers }) => headers['traceparent'])).toEqual([
      kept.spans[0]!.traceparent,
      undefined,
    ]);
  });

  test.each(['', 'x', `${sampled()}, ${sampled(1)}`, sampled().toUpperCase(), `00-${'0'.repeat(32)}-${BROWSER}-01`])(
    'the invalid traceparent %j is ignored and not forwarded',
    async (traceparent) => {
      await gateway.post(PURCHASE, {}, { traceparent });
      expect(kept.spans).toMatchObject([{ options: { kind: 'server' } }]);
      expect(kept.spans[0]!.options.parent).toBeUndefined();
      expect(heardOf(PURCHASE)[0]!.headers['traceparent']).toBe(kept.spans[0]!.traceparent);
    },
  );

  test('answers of the gateway itself, pages and unknown paths have no spans', async () => {
    for (const path of ['/api/config', '/api/health/live', '/', '/no-such-page', '/api/no-such-call', '/health/ready'])
      await (await gateway.get(path, { traceparent: sampled() })).text();
    expect(kept.spans).toEqual([]);
  });

  test('the frontend receives the sampling ratio, and its browser reports measurements', async () => {
    gateway.behind.payments.answer = (_req, res) =>
      res.setHeader('content-type', 'application/json').end('{"publishableKey":"pk","sandbox":true}');
    expect(await (await gateway.get('/api/config')).json()).toMatchObject({ tracesRatio: 1 });
    const report = { name: 'buy tickets', traceparent: sampled(), durationMs: 1_500, hasFailed: false };
    expect((await gateway.post('/api/client-spans', report)).status).toBe(204);
    const [measured] = kept.measured;
    expect(measured).toMatchObject({ name: 'buy tickets', traceparent: sampled(), hasFailed: false });
    expect(measured!.end - measured!.start).toBe(1_500);
    expect(Math.abs(Date.now() - measured!.end)).toBeLessThan(60_000);
  });

  test.each([
    ['name', { name: 'ann@example.test' }],
    ['traceparent', { traceparent: unsampled }],
    ['traceparent', { traceparent: `00-${'0'.repeat(32)}-${BROWSER}-01` }],
    ['durationMs', { durationMs: -1 }],
    ['durationMs', { durationMs: 600_001 }],
    ['hasFailed', { hasFailed: 'no' }],
    ['userId', { userId: 7 }],
  ])('a report with a wrong %s is refused, and the field is named', async (field, change) => {
    const report = { name: 'buy tickets', traceparent: sampled(), durationMs: 1, hasFailed: false, ...change };
    const answer = await gateway.post('/api/client-spans', report);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid', errors: [{ field }] }]);
    expect(kept.measured).toEqual([]);
  });

  test('reports in excess of the recorded requests are dropped', async () => {
    const report = { name: 'buy tickets', traceparent: sampled(), durationMs: 1, hasFailed: false };
    for (let n = 0; n < 60; n++) expect((await gateway.post('/api/client-spans', report)).status).toBe(204);
    expect(kept.measured.length).toBeLessThanOrEqual(20);
    const before = kept.measured.length;
    await gateway.post(PURCHASE, {}, { traceparent: sampled() });
    await gateway.post('/api/client-spans', report);
    expect(kept.measured.length).toBe(before + 1);
  });
});

describe('where one in a hundred traces is recorded', () => {
  beforeAll(() => begin(0.01));
  afterAll(async () => {
    await gateway.stop();
    useTracer(undefined);
  });

  test('a client that requests recording every time gets one trace in a hundred, plus the first twenty', async () => {
    const statuses = [];
    for (let n = 0; n < 300; n++) statuses.push((await gateway.post(PURCHASE, {}, { traceparent: sampled(n) })).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(kept.spans.length).toBeGreaterThanOrEqual(20);
    expect(kept.spans.length).toBeLessThanOrEqual(23);
    // Requests without a recorded trace arrive without a `traceparent`.
    const named = heardOf(PURCHASE).filter(({ headers }) => headers['traceparent'] !== undefined);
    expect(named).toHaveLength(kept.spans.length);
  });
});

test('when nothing is recorded, no service gets a client’s trace, and browsers’ reports are dropped', async () => {
  gateway = await startGateway();
  try {
    await gateway.post(PURCHASE, {}, { traceparent: sampled(), tracestate: 'a=1', baggage: 'b=2' });
    await gateway.post('/api/holds', { eventId: 1, quantity: 1 }, { traceparent: sampled() });
    for (const { headers, body } of gateway.behind.ticketing.heard.concat(gateway.behind.payments.heard))
      expect(JSON.stringify(headers) + body).not.toMatch(/traceparent|tracestate|baggage/);
    gateway.behind.payments.answer = (_req, res) =>
      res.setHeader('content-type', 'application/json').end('{"publishableKey":"pk","sandbox":true}');
    expect(await (await gateway.get('/api/config')).json()).not.toHaveProperty('tracesRatio');
    const report = { name: 'buy tickets', traceparent: sampled(), durationMs: 1, hasFailed: false };
    expect((await gateway.post('/api/client-spans', report)).status).toBe(204);
  } finally {
    await gateway.stop();
  }
});
