import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { fillCard, fillDetails, pay, register } from './support/pages.ts';
import { stage } from './support/stage.ts';
import { startCollector, type ReceivedSpan } from './support/traces.ts';
import { eventually } from './support/wait.ts';

const collector = await startCollector();
const here = stage({
  oneProcess: true,
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' },
});
afterEach(() => here.api.webhooks('normal'));
afterAll(() => collector.close());

const spansOf = (traceId: string): ReceivedSpan[] => collector.spans.filter((span) => span.traceId === traceId);
const label = ({ service, name }: ReceivedSpan): string => `${service}: ${name}`;

/** The path from the root span to this one. */
function pathTo(span: ReceivedSpan): string[] {
  const parent = spansOf(span.traceId).find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathTo(parent) : [span.parentSpanId && `missing ${span.parentSpanId}`]), label(span)].filter(
    Boolean,
  );
}

/** The only trace started by a click of this name. */
async function traceOf(click: string): Promise<string> {
  const [first, ...others] = await eventually(
    () => {
      const found = collector.spans.filter(({ service, name }) => service === 'browser' && name === click);
      return found.length > 0 && found;
    },
    { timeoutMs: 30_000, what: `the span of the click “${click}”` },
  );
  expect(others).toEqual([]);
  return first!.traceId;
}

/** Waits until the trace has these spans. */
const waitFor = (traceId: string, wanted: string[]) =>
  eventually(
    () => {
      const has = new Set(spansOf(traceId).map(label));
      const missing = wanted.filter((one) => !has.has(one));
      if (missing.length > 0) throw new Error(`not ${missing.join(', ')}, but ${[...has].join(', ')}`);
      return true;
    },
    { timeoutMs: 30_000, what: 'a trace with all of its spans' },
  );

test('one click that buys a ticket creates one trace: browser, gateway, services, log, bus, consumers and mail', async () => {
  const { event } = await here.api.organize();
  const buyer = await here.visitor({ viewport: { width: 1280, height: 900 } });
  await register(buyer, 'Maya Chen', 'maya@example.test');
  await buyer.goto(`/event/${event.id}`);
  // The page records traces from the moment when it has the configuration, which has this address too.
  await buyer.getByText('support@beltway.test').waitFor({ state: 'attached' });
  await buyer.getByRole('link', { name: 'Buy Tickets' }).click();
  await fillDetails(buyer, 'Maya Chen', 'maya@example.test');
  await fillCard(buyer);
  // Delays the provider's webhook, which might otherwise complete the sale first, in a separate trace.
  await here.api.webhooks('late', 20);
  await pay(buyer);
  await buyer.getByText('Tickets Purchased Successfully!', { exact: true }).first().waitFor();
  await here.api.mailTo('maya@example.test');

  const bought = await traceOf('buy tickets');
  await waitFor(bought, ['ticketing: job order-mail', 'payments: append']);
  const purchase = 'POST /api/process-ticket-purchase';
  const toTheLog = [
    'browser: buy tickets',
    `gateway: ${purchase}`,
    `ticketing: ${purchase}`,
    'ticketing: command SellTickets',
    'ticketing: append',
  ];
  // Each service sends its spans every two seconds, so a parent may arrive after its children.
  const paths = () => spansOf(bought).map(pathTo);
  await expect.poll(paths).toContainEqual(toTheLog);
  await expect.poll(paths).toContainEqual([...toTheLog, 'ticketing: job order-mail']);
  await expect
    .poll(paths)
    .toContainEqual([
      ...toTheLog,
      'ticketing: publish ticketing.ticket-purchased',
      'payments: process ticketing.ticket-purchased',
      'payments: command RecordFulfillment',
      'payments: append',
    ]);
  await expect.poll(() => paths().filter((path) => path.some((step) => step.startsWith('missing')))).toEqual([]);
  expect(spansOf(bought).filter(({ hasFailed }) => hasFailed)).toEqual([]);

  const held = await traceOf('hold tickets');
  await waitFor(held, ['ticketing: append']);
  await expect
    .poll(() => spansOf(held).map(pathTo))
    .toContainEqual([
      'browser: hold tickets',
      'gateway: POST /api/holds',
      'ticketing: POST /api/holds',
      'ticketing: command HoldTickets',
      'ticketing: append',
    ]);
});

test('recorded spans contain no personal data, secret or query', async () => {
  const { token } = await here.api.register('Nosy Reader');
  const traceId = randomBytes(16).toString('hex');
  const searched = await fetch(`${here.beltway.url}/api/events?q=verysecretword`, {
    headers: {
      authorization: `Bearer ${token}`,
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    },
  });
  expect(searched.status).toBe(200);
  await waitFor(traceId, ['gateway: GET /api/events']);
  const all = collector.bodies.join('\n');
  for (const word of ['Maya', 'maya@', 'Nosy', 'verysecretword', token, '424242424242', 'orange-line-42', '?'])
    expect(all.includes(word), word).toBe(false);
});

test('log lines contain their trace id', async () => {
  const traceId = await traceOf('buy tickets');
  const folder = join(here.beltway.dataDir, 'logs');
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const named = lines.filter((line) => line.includes(`"traceId":"${traceId}"`) && line.includes('"request"'));
  expect(named.map((line) => (JSON.parse(line) as { name: string }).name)).toContain('ticketing');
});
