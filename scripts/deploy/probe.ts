import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serveMetrics } from '@beltway/kit/metrics-server';
import { gauge } from '@beltway/kit/metrics';
import { readServiceCertificate } from '@beltway/kit/service-tls';

/**
 * Acts as a visitor of the site: lists events, holds one ticket, creates the payment intent and releases the ticket.
 * Pays nothing. With `--buy` it pays with the site's card sandbox instead of releasing the ticket; a site with Stripe's
 * keys refuses such a payment. Without `--once` it repeats every PROBE_SECONDS and serves /metrics. BELTWAY_URL is the
 * site, and PROBE_EVENT the event; default: the event with the most tickets left.
 */
export const STEPS = ['browse', 'hold', 'intent', 'release'] as const;
type Step = (typeof STEPS)[number] | 'buy';

const STEP_MS = 10_000;
/** How many listed events are compared by their tickets left. */
const LOOKED_AT = 10;

interface Options {
  url: string;
  eventId?: number | undefined;
  buy?: boolean;
  /** Called when a step succeeded. */
  done?: (step: Step, seconds: number) => void;
}

export class ProbeFailed extends Error {
  readonly step: Step;
  constructor(step: Step, cause: unknown) {
    super(`${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.step = step;
  }
}

interface Held {
  orderId: string;
  accessKey: string;
}

/** Makes one visit. Throws `ProbeFailed` with the failed step, after releasing the hold. */
export async function probe({ url, eventId, buy = false, done = () => undefined }: Options): Promise<void> {
  async function ask<T>(method: string, path: string, body?: object | URLSearchParams, headers = {}): Promise<T> {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { ...(body && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(STEP_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  async function step<T>(name: Step, run: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const result = await run().catch((error: unknown) => Promise.reject(new ProbeFailed(name, error)));
    done(name, (performance.now() - since) / 1_000);
    return result;
  }

  async function left(id: number): Promise<number> {
    type Availability = { capacity: number; sold: number; held: number };
    const { capacity, sold, held } = await ask<Availability>('GET', `/api/events/${id}/availability`);
    return capacity - sold - held;
  }
  async function chooseEvent(): Promise<number> {
    type Listed = { id: number; hasTickets: boolean; ticketSalesEnabled: boolean };
    const events = await ask<Listed[]>('GET', '/api/events');
    if (eventId !== undefined) return eventId;
    const sold = events.filter((event) => event.hasTickets && event.ticketSalesEnabled).slice(0, LOOKED_AT);
    const counted = await Promise.all(sold.map(async ({ id }) => ({ id, tickets: await left(id) })));
    const [most] = counted.filter(({ tickets }) => tickets > 0).sort((a, b) => b.tickets - a.tickets);
    if (!most) throw new Error('no event has tickets left: set PROBE_EVENT');
    return most.id;
  }

  const event = await step('browse', chooseEvent);
  const held = await step('hold', async () => {
    const { key } = await ask<{ key: string }>('POST', '/api/order-keys', {});
    const headers = { 'idempotency-key': `${key}.${randomUUID()}` };
    return ask<Held>('POST', '/api/holds', { eventId: event, quantity: 1 }, headers);
  });
  const { orderId, accessKey } = held;
  const release = () => ask('DELETE', `/api/holds/${orderId}`, undefined, { 'x-order-key': accessKey });
  try {
    const intent = await step('intent', () =>
      ask<Intent>('POST', '/api/create-ticket-payment-intent', {
        ...{ eventId: event, quantity: 1, orderId, accessKey },
        ...{ ticketHolderName: 'Probe', ticketHolderEmail: 'probe@example.org' },
      }),
    );
    if (buy) return await step('buy', () => pay(intent));
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
  await step('release', release);

  async function pay({ clientSecret, paymentIntentId }: Intent): Promise<void> {
    const { payments } = await ask<{ payments: { sandbox: boolean; publishableKey: string } }>('GET', '/api/config');
    if (!payments.sandbox) throw new Error('this site takes real cards: --buy works with the card sandbox only');
    const card = new URLSearchParams({
      ...{ key: payments.publishableKey, client_secret: clientSecret, 'payment_method_data[type]': 'card' },
      ...{ 'payment_method_data[card][number]': '4242424242424242', 'payment_method_data[card][cvc]': '123' },
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
    });
    const confirm = `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`;
    await ask('POST', confirm, card, { 'idempotency-key': randomUUID() });
    await ask('POST', '/api/process-ticket-purchase', { paymentIntentId });
    for (let tries = 1; ; tries++) {
      const { status } = await ask<{ status: string }>('GET', `/api/orders/${orderId}`, undefined, {
        'x-order-key': accessKey,
      });
      if (status === 'fulfilled') return;
      if (tries === 20) throw new Error(`the order is ${status}`);
      await pause(500);
    }
  }
}

interface Intent {
  clientSecret: string;
  paymentIntentId: string;
}

const success = gauge('probe_success', 'Whether the last visit of the probe got through this step, 1 or 0', ['step']);
const duration = gauge('probe_duration_seconds', 'How long this step of the last visit took', ['step']);
const lastRun = gauge('probe_last_run_timestamp_seconds', 'When the probe ended its last visit');

/**
 * Makes one visit and records it in `/metrics`: the failed step and all later ones count as failed. Returns the error.
 */
export async function shownProbe(options: Options): Promise<string | undefined> {
  const passed = new Set<Step>();
  const failure = await probe({
    ...options,
    done: (step, seconds) => {
      passed.add(step);
      duration.set({ step }, seconds);
    },
  }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  for (const step of STEPS) success.set({ step }, passed.has(step) ? 1 : 0);
  lastRun.set(Date.now() / 1_000);
  return failure;
}

if (import.meta.main) {
  const { once, buy } = parseArgs({
    options: { once: { type: 'boolean', default: false }, buy: { type: 'boolean', default: false } },
  }).values;
  const { BELTWAY_URL: url = 'http://localhost:3000', PROBE_EVENT, PROBE_SECONDS = '30', METRICS_PORT } = process.env;
  const options = { url, buy, eventId: PROBE_EVENT ? Number(PROBE_EVENT) : undefined };
  if (once) {
    try {
      await probe({ ...options, done: (step, seconds) => console.log(`${step}: ${Math.round(seconds * 1_000)} ms`) });
    } catch (error) {
      console.error((error as Error).message);
      process.exitCode = 1;
    }
  } else {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit());
    if (METRICS_PORT)
      await serveMetrics(Number(METRICS_PORT), process.env['HOST'] ?? '127.0.0.1', readServiceCertificate(process.env));
    for (;;) {
      const failure = await shownProbe(options);
      if (failure) console.error(JSON.stringify({ level: 50, name: 'probe', msg: failure }));
      await pause(Number(PROBE_SECONDS) * 1_000);
    }
  }
}
