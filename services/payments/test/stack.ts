import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Stripe from 'stripe';
import { openStore, PLANS_FOR_ARRAYS, relay } from '@beltway/event-store';
import type { Message } from '@beltway/contracts/common/basics';
import type { RequestPaymentBody } from '@beltway/contracts/payments/payments';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { authenticator } from '@beltway/kit/auth';
import { kitMigrations, serviceMigrations } from '@beltway/kit/schema-check';
import { eventually, listen, testDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { proxyTo } from '../../../packages/kit/test/proxy.ts';
import { createApp } from '../src/app.ts';
import { startConsumers } from '../src/consumers.ts';
import { openDb } from '../src/db.ts';
import { openPayments } from '../src/payment/stream.ts';
import { publish, toMessages } from '../src/publish.ts';
import { openPayoutAccounts } from '../src/payout/stream.ts';
import { openProvider, type Provider } from '../src/provider/provider.ts';
import { createSandbox } from '@beltway/card-sandbox';
import { sandboxMigrations } from '@beltway/card-sandbox/migrations';
import { startRefunds } from '../src/work/refunds.ts';
import { followRevenue } from '../src/revenue/follow.ts';

export const ownMigrations = serviceMigrations('payments');
export const busMigrations = [kitMigrations('bus')];
export const keys = {
  secretKey: 'sk_test_payments',
  publishableKey: 'pk_test_payments',
  webhookSecret: 'whsec_payments1',
};
export const INTERNAL_TOKEN = 'a-token-of-at-least-32-characters-x';
const log = logger('test', process.env['LOG_LEVEL'] ?? 'silent');

/** Payments, as main starts it, on a real Postgres and the embedded bus, and the sandbox as the card provider. */
export async function startStack({ wrap = (provider: Provider) => provider, webhooks = 'lost', atOnce = 64 } = {}) {
  const identity = await testIdentity();
  const [own, busDb, sandboxDb] = await Promise.all([
    testDatabase(ownMigrations),
    testDatabase(busMigrations),
    testDatabase([sandboxMigrations]),
  ]);
  const door = createServer();
  const providerDoor = createServer();
  const [url, apiBase] = await Promise.all([listen(door), listen(providerDoor)]);
  const providerPort = Number(new URL(apiBase).port);

  const sandboxPool = openPool(sandboxDb.url);
  const sandbox = createSandbox({ pool: sandboxPool, log, ...keys, webhookUrl: `${url}/api/stripe/webhook` });
  let callsInProgress = 0;
  providerDoor.on('request', (_req, res) => {
    callsInProgress++;
    res.on('close', () => callsInProgress--);
  });
  providerDoor.on('request', sandbox.handler);
  await sandbox.start();

  // All of the service's queries pass through this proxy, so a test can disconnect the database.
  const database = await proxyTo(own.url);
  const pool = openPool(database.url, { log, options: PLANS_FOR_ARRAYS });
  const db = openDb(pool);
  const store = openStore({
    url: database.url,
    toMessages,
    warn: (err, message) => log.warn({ err }, message),
  });
  const bus = await openBus({ BUS_DATABASE_URL: busDb.url }, log);
  await bus.ensureTopics(['payments.events', 'ticketing.events', 'catalog.events', 'identity.events']);
  const payments = openPayments(store);
  const provider = wrap(openProvider({ ...keys, apiBase, atOnce, timeoutMs: 15_000 }));
  const payoutAccounts = openPayoutAccounts(store);
  const deps = { log, pool, db, payments, payoutAccounts, provider, secretKey: keys.secretKey };
  const publisher = relay(store, {
    topic: 'payments.events',
    publish,
    send: (messages) => bus.publish('payments.events', messages),
  });
  const refunds = startRefunds(deps, { pauseMs: 100, maxPauseMs: 400 }, 50);
  const revenue = followRevenue(store);
  /** Ticketing's responses. A test may replace them. */
  const ticketing = { get: async (_path: string): Promise<unknown> => ({ tickets: 0 }) };
  const auth = await authenticator({ identity: identity.url, internalToken: INTERNAL_TOKEN, bus, log });
  const consumers = await startConsumers({ ...deps, bus, wakeRefunds: refunds.wake, wakeAdMails: () => undefined });
  door.on(
    'request',
    createApp({
      ...{
        ...deps,
        auth,
        ticketing,
        internalToken: INTERNAL_TOKEN,
        publishableKey: keys.publishableKey,
        sandbox: true,
      },
      publicUrl: 'http://localhost:3000',
    }),
  );

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-internal-token': INTERNAL_TOKEN, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // The shape of the response is what each test checks.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  /** What staff do in the provider's dashboard, and what banks do. */
  const dashboard = async (path: string, body: object = {}) => {
    const response = await fetch(`${apiBase}/dev/payments${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { id: string; status: string };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  const tune = (what: 'webhooks' | 'api', settings: object) =>
    fetch(`${apiBase}/dev/payments/${what}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
  await tune('webhooks', { mode: webhooks });

  const stripe = new Stripe(keys.secretKey, {
    host: '127.0.0.1',
    port: providerPort,
    protocol: 'http',
    maxNetworkRetries: 0,
  });
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await pool.query<Row>(sql, values)).rows;

  const stack = {
    ...{
      url,
      apiBase,
      revenue,
      ticketing,
      identity,
      pool,
      stripe,
      deps,
      store,
      bus,
      call,
      tune,
      /** Calls at the provider that have no response yet. */
      callsInProgress: () => callsInProgress,
      dashboard,
      query,
      databaseUrl: own.url,
      database,
    },
    request: (order: RequestPaymentBody) => call('POST', '/internal/payments', order),
    settle: (paymentId: string) => call('POST', `/internal/payments/${paymentId}/settle`),
    cancel: (paymentId: string) => call('POST', `/internal/payments/${paymentId}/cancel`),
    /** The buyer enters a card. */
    pay: (paymentId: string, card = 'pm_card_visa') =>
      stripe.paymentIntents.confirm(paymentId, { payment_method: card, return_url: 'http://localhost/x' }).then(
        () => 'paid',
        (error: unknown) => (error as Stripe.errors.StripeError).code,
      ),
    /** The provider's reports of this payment, oldest first. */
    providerEvents: async (paymentId: string) => {
      const { data } = await stripe.events.list({ limit: 100 });
      return data
        .filter(({ data: { object } }) =>
          [(object as { id?: string }).id, (object as { payment_intent?: string }).payment_intent].includes(paymentId),
        )
        .reverse();
    },
    /** Sends a webhook as the provider does. */
    tell: (event: object, { secret = keys.webhookSecret, at = Math.floor(Date.now() / 1000) } = {}) => {
      const payload = JSON.stringify(event);
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at });
      return call('POST', '/api/stripe/webhook', payload, { 'stripe-signature': signature });
    },
    /** Publishes a message as another service would. */
    say: (
      type: string,
      data: object,
      id: string = randomUUID(),
      service: 'ticketing' | 'catalog' | 'identity' = 'ticketing',
    ) => {
      const message: Message = {
        id,
        type: `${service}.${type}`,
        version: 1,
        key: 'sale-7',
        occurredAt: new Date().toISOString(),
        correlationId: id,
        causationId: id,
        data,
      };
      return bus.publish(`${service}.events`, [message]);
    },
    /** All messages that payments has published so far. */
    heard: async () => {
      await publisher.caughtUp();
      const messages: Message[] = [];
      await bus.replay(
        'payments.events',
        async (batch) => void messages.push(...batch.map(({ message }) => message as Message)),
      );
      return messages;
    },
    events: (orderId: string) =>
      query<{ type: string }>('select type from events where stream = $1 order by version', [
        `payment-${orderId}`,
      ]).then((rows) => rows.map(({ type }) => type)),
    invariants: async () =>
      Object.fromEntries(
        (await call('GET', '/internal/invariants')).body.checks.map((check: { name: string; violations: number }) => [
          check.name,
          check.violations,
        ]),
      ),
    /** Makes the provider unreachable, and later reachable again. */
    away: () =>
      new Promise<void>((resolve) => (providerDoor.close(() => resolve()), providerDoor.closeAllConnections())),
    back: () => listen(providerDoor, { port: providerPort }),
    eventually,
    stop: async () => {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await refunds.stop();
      await sandbox.stop();
      await payments.drain();
      await publisher.stop();
      await revenue.stop();
      await bus.close();
      for (const server of [door, providerDoor])
        if (server.listening) await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
      await db.$disconnect();
      await Promise.all([store.close(), pool.end(), sandboxPool.end()]);
      database.close();
      await Promise.all([own.drop(), busDb.drop(), sandboxDb.drop()]);
    },
  };
  return stack;
}
export type Stack = Awaited<ReturnType<typeof startStack>>;

/** The request to the provider for an order. */
export const termsOf = ({ orderId, eventId, organizerId, buyerId, amountCents }: RequestPaymentBody) => ({
  ...{ id: orderId, amountCents, organizerId, buyerId },
  bought: { purpose: 'tickets' as const, orderId, eventId },
});

export const anOrder = (change: Partial<RequestPaymentBody> = {}): RequestPaymentBody => ({
  orderId: randomUUID(),
  eventId: 7,
  organizerId: 3,
  buyerId: 9,
  amountCents: 5_099,
  description: '2 tickets for Go-Go Night',
  receiptEmail: 'ann@example.com',
  ...change,
});
