import { createServer, type RequestListener } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { onTestFinished } from 'vitest';
import { openStore, PLANS_FOR_ARRAYS, relay } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import type { EventState } from '@beltway/contracts/catalog/events';
import { HOUR_MS } from '@beltway/contracts/common/times';
import { anEventState } from '@beltway/contracts/testing/events';
import type { PaymentStatus, SettledPayment } from '@beltway/contracts/payments/payments';
import { arrivals } from '@beltway/kit/arrivals';
import { authenticator } from '@beltway/kit/auth';
import { openEmbeddedBus } from '@beltway/kit/bus/embedded';
import { newInstanceId } from '@beltway/kit/instance-id';
import { instances, mayBeSeveral, type InstancesOptions } from '@beltway/kit/instances';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { unavailable } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { openAllowances } from '@beltway/kit/allowances';
import { eventually, listen, testDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { createApp } from '../src/app.ts';
import type { config } from '../src/config.ts';
import { startConsumers } from '../src/consumers.ts';
import { openReportPool } from '../src/customer/pool.ts';
import { newestListing } from '../src/listing/listings.ts';
import { startMail } from '../src/start-mail.ts';
import { expireHolds, settleLapsedPayments } from '../src/checkout/expire-holds.ts';
import { returnCanceled } from '../src/checkout/return.ts';
import type { JobDeps } from '../src/checkout/sell.ts';
import { networkHolds } from '../src/checkout/network-holds.ts';
import { newGuestKey } from '../src/checkout/guests.ts';
import type { Payments } from '../src/checkout/payments.ts';
import { publishSales, toMessages } from '../src/sale/publish.ts';
import { forwardedCommands, routedSales } from '../src/sale/route-to-instance.ts';
import { openSales, type Sales } from '../src/sale/stream.ts';
import { openPapers, type Draw, type PaperJob } from '../src/ticket/papers.ts';
import { openSigner } from '../src/ticket/signing.ts';
import { drawHere } from '../src/ticket/testing.ts';

const folder = (path: string) => new URL(`../../../${path}`, import.meta.url).pathname;
/** Registers a cleanup after the test; the last registered runs first. */
export const later = (close: () => unknown) => onTestFinished(async () => void (await close()));

export const TOKEN = 'internal-token-of-the-tests-0123456789';
export const SECRET = 'ticket-secret-of-the-tests-0123456789abc';

const guests = new Map<string, string>();
/**
 * An idempotency key as a guest's browser builds it: the server's key, then the guest's own text. For each text, the
 * key is that of a separate guest.
 */
export function guestKey(text: string): string {
  const key = guests.get(text) ?? newGuestKey(SECRET);
  guests.set(text, key);
  return `${key}.${text}`;
}

/** Opens the port of a future instance, so that its URL is known before it starts. Responds 503 until then. */
export async function openDoor(host = '127.0.0.1', port = 0) {
  const server = createServer((_req, res) => res.writeHead(503).end());
  return { server, url: await listen(server, { port, host }) };
}
export type Door = Awaited<ReturnType<typeof openDoor>>;

/** The texts of a step in the history of a payment, by language. */
const PAID_STEP = { en: '$1 paid.', es: 'Se pagó $1.' };

/** A fake payments service with a card provider, as ticketing uses it: intents by order, and their state. */
export function fakePayments() {
  const intents = new Map<string, SettledPayment>();
  const state = { down: false, requests: 0, cancels: 0 };
  const answer = (paymentId: string): SettledPayment => {
    if (state.down) throw Object.assign(new Error('fetch failed'), { transient: true });
    const intent = intents.get(paymentId);
    if (!intent) throw new Error(`no intent ${paymentId}`);
    return intent;
  };
  const payments: Payments = {
    request: async ({ orderId, eventId, amountCents }) => {
      if (state.down) throw Object.assign(new Error('fetch failed'), { transient: true });
      state.requests++;
      let paymentId = `pi_${orderId.replaceAll('-', '')}`;
      while (intents.get(paymentId)?.status === 'canceled') paymentId += '_again';
      if (!intents.has(paymentId)) intents.set(paymentId, { paymentId, orderId, eventId, amountCents, status: 'open' });
      return { paymentId, clientSecret: `${paymentId}_secret` };
    },
    settle: async (paymentId) => answer(paymentId),
    cancel: async (paymentId) => {
      state.cancels++;
      const intent = answer(paymentId);
      if (intent.status === 'open') intent.status = 'canceled';
      return intent;
    },
    ofOrder: async (orderId, language) => {
      if (state.down) throw Object.assign(new Error('fetch failed'), { transient: true });
      const intent = [...intents.values()].find((one) => one.orderId === orderId);
      if (!intent) return null;
      const { paymentId, status, amountCents } = intent;
      const feeCents = Math.round(amountCents / 20);
      return {
        ...{ paymentId, status, amountCents, feeCents, organizerCents: amountCents - feeCents, returnedCents: 0 },
        ...{ succeededAt: null, disputes: [] },
        history: [{ at: new Date().toISOString(), type: 'PaymentSucceeded', text: PAID_STEP[language] }],
      };
    },
  };
  const become = (paymentId: string, status: PaymentStatus) => void (answer(paymentId).status = status);
  return { payments, state, become, intents };
}

/**
 * Starts ticketing as main does, with one or more instances on its own databases. Tests move the clock and run the
 * jobs.
 */
export async function startTicketing(count = 1, timeoutMs = 10_000, heldPerAddress?: number) {
  const [db, busDb] = await Promise.all([
    testDatabase([
      eventStoreMigrations,
      folder('packages/kit/migrations/inbox'),
      folder('packages/kit/migrations/jobs'),
      folder('packages/kit/migrations/erasures'),
      folder('packages/kit/migrations/leases'),
      folder('packages/kit/migrations/allowances'),
      folder('services/ticketing/prisma/migrations'),
    ]),
    testDatabase([folder('packages/kit/migrations/bus')]),
  ]);
  later(db.drop);
  later(busDb.drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'beltway-ticketing-'));
  later(() => rmSync(dataDir, { recursive: true, force: true }));
  const identity = await testIdentity();
  later(identity.close);
  const fake = fakePayments();
  const log = logger('ticketing', 'silent');
  const time = { offsetMs: 0 };
  const clock = () => new Date(Date.now() + time.offsetMs);

  const bus = await openEmbeddedBus({ url: busDb.url });
  await bus.ensureTopics(['ticketing.events', 'catalog.events', 'payments.events', 'identity.events']);
  later(() => bus.close());

  /** The responses of catalog and identity, and the bodies posted to identity. */
  const others = {
    contact: null as string | null,
    isIdentityAway: false,
    posted: [] as Array<[path: string, body: unknown]>,
  };

  /**
   * Starts an instance of the service on its own port. Several may use the same databases; they share the sales if
   * `found` lists them. `token` and `secret`: the values that the instance sends and accepts.
   */
  async function instance(
    door?: Door,
    found: Pick<InstancesOptions, 'urls' | 'lookup' | 'lookupMs'> = { urls: [] },
    { token = TOKEN, secret = SECRET }: { token?: Secrets; secret?: Secrets } = {},
  ) {
    const { server, url } = door ?? (await openDoor());
    const pool = openPool(db.url, { options: PLANS_FOR_ARRAYS });
    const reportPool = openReportPool(db.url, log);
    const store = openStore({ url: db.url, toMessages });
    const auth = await authenticator({ identity: identity.url, internalToken: token, bus, log });
    const signer = await openSigner(pool, secret);
    const local = openSales(store);
    const peers = instances({ service: 'ticketing', ...found, probeMs: 50, timeoutMs });
    const self = newInstanceId();
    let draining = false;
    const drawing = { draw: drawHere as Draw, jobs: [] as PaperJob[] };
    const decided: string[] = [];
    const noted: Sales = {
      ...local,
      handle: (id, ...call) => {
        decided.push(String(id));
        return local.handle(id, ...call);
      },
    };
    const deps = {
      log,
      pool,
      reportPool,
      store,
      sales: mayBeSeveral(found.urls)
        ? routedSales({ local: noted, instances: peers, self, internalToken: token, log, timeoutMs })
        : noted,
      auth,
      payments: fake.payments,
      allowances: openAllowances(pool, secret),
      networkHolds: heldPerAddress === undefined ? undefined : networkHolds({ pool, log, secret, max: heldPerAddress }),
      signer,
      ticketSecret: secret,
      publicUrl: 'http://localhost:3000',
      mailFrom: 'Beltway <tickets@beltway.test>',
      support: 'help@beltway.test',
      identity: {
        get: async (): Promise<unknown> => ({
          email: 'organizer-account@example.test',
          isVerified: true,
          language: 'es',
        }),
        post: async (path: string, body: unknown): Promise<unknown> => {
          if (others.isIdentityAway) throw unavailable('part-away');
          others.posted.push([path, body]);
          return { at: new Date().toISOString(), first: true };
        },
      },
      contacts: { of: async () => others.contact, forReplies: async () => others.contact },
      pictures: { of: async (imageUrl: string | null) => (imageUrl ? PICTURE : null) },
      papers: openPapers((job, signal) => {
        drawing.jobs.push(job);
        return drawing.draw(job, signal);
      }),
      clock,
      mayArrive: arrivals({ newest: () => newestListing(pool), clock }),
      bus,
      changeMailMinutes: 5,
    };
    const publisher = relay(store, {
      topic: 'ticketing.events',
      publish: publishSales,
      send: (messages) => bus.publish('ticketing.events', messages),
    });
    const onCanceled: Array<() => void> = [];
    const consumers = await startConsumers({ ...deps, canceled: () => onCanceled.forEach((wake) => wake()) });
    const mail = startMail(deps, {
      ...configForTests(db.url, identity.url, dataDir),
      TICKET_SECRET: [secret].flat() as [string],
    });
    const mount = (app: Express) => {
      app.use(forwardedCommands(noted, token));
      mail.mount(app);
    };
    let frozen: Array<Parameters<RequestListener>> | undefined;
    const app = createApp({
      ...deps,
      ...{ internalToken: token, mount, instance: self, checks: { draining: () => !draining } },
    });
    server.removeAllListeners('request').on('request', (_req, res) => {
      if (draining) res.shouldKeepAlive = false;
    });
    server.on('request', (...request) => void (frozen ? frozen.push(request) : app(...request)));
    /**
     * Freezes the instance: it accepts connections, but handles requests only after the returned function is called.
     */
    const freeze = () => {
      const waiting = (frozen = []);
      return () => {
        frozen = undefined;
        waiting.forEach((request) => app(...(request as Parameters<RequestListener>)));
      };
    };
    /**
     * Stops the service as `kit/serve` does: it is first not ready, then accepts no new connections, then finishes
     * every request.
     */
    const leave = async (lameDuckMs: number) => {
      draining = true;
      await new Promise((resolve) => setTimeout(resolve, lameDuckMs));
      const closed = new Promise((resolve) => server.close(resolve));
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      await closed;
      clearInterval(idle);
      await stop();
    };
    let stopped = false;
    const stop = async () => {
      if (stopped) return;
      stopped = true;
      peers.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await mail.stop();
      await deps.sales.drain();
      await publisher.stop();
      await auth.stop();
      await Promise.all([store.close(), pool.end(), reportPool.end()]);
    };
    later(stop);
    const urlOf = (id: number) => peers.forKey(id);
    return {
      url,
      freeze,
      leave,
      onCanceled,
      decided,
      drawing,
      urlOf,
      mail,
      deps: deps as JobDeps & typeof deps,
      stop,
      reconcile: () => settleAll(deps),
    };
  }

  const doors = await Promise.all(Array.from({ length: count }, () => openDoor()));
  const all = [];
  for (const door of doors) all.push(await instance(door, { urls: doors.map(({ url }) => url) }));
  const one = all[0]!;
  // The timeout is long for slow machines, because only the test uses this pool.
  const admin = openPool(db.url, { connectionTimeoutMillis: 30_000, statement_timeout: 0, query_timeout: 0 });
  later(() => admin.end());
  const rows = async (sql: string, values: unknown[] = []) =>
    (await admin.query(sql, values)).rows as Array<Record<string, unknown>>;
  return {
    ...one,
    others,
    all,
    instance,
    identity,
    fake,
    bus,
    rows,
    time,
    databaseUrl: db.url,
    busUrl: busDb.url,
    dataDir,
  };
}

/** Mails about orders whose kind begins with `kind`, in the order in which they were queued. */
export async function mailsIn({ rows }: { rows: Ticketing['rows'] }, kind = '') {
  const jobs = await rows(
    `select left(key, 36) as "orderId", substr(key, 38) as kind, attempts, last_error as error, run_at as "dueAt",
       case when status <> 'done' then status when data ? 'isDropped' then 'dropped' else 'sent' end as status
     from jobs where queue = 'order-mail' order by created_at, key`,
  );
  type Mail = { orderId: string; kind: string; attempts: number; error: string | null; status: string; dueAt: Date };
  return (jobs as unknown as Mail[]).filter((mail) => mail.kind.startsWith(kind));
}
const isSent = ({ status }: { status: string }) => status === 'sent';
/** Whether exactly `count` mails of the kind were sent. */
export const wereSent = async (ticketing: { rows: Ticketing['rows'] }, count: number, kind = '') =>
  (await mailsIn(ticketing, kind)).filter(isSent).length === count;

export type Ticketing = Awaited<ReturnType<typeof startTicketing>>;

/** Runs each background job once. */
async function settleAll(deps: JobDeps): Promise<void> {
  await expireHolds(deps);
  await settleLapsedPayments(deps);
  await returnCanceled(deps);
}

const configForTests = (url: string, identityUrl: string, dataDir: string): ReturnType<typeof config> => ({
  SERVICE_PORT: 0,
  HOST: '127.0.0.1',
  BELTWAY_MODE: 'embedded',
  BELTWAY_DEMO: '0',
  LOG_LEVEL: 'silent',
  SECURITY_LOG_DAYS: 90,
  MIGRATE_AT_START: 'off',
  DATABASE_URL: url,
  BUS_DATABASE_URL: undefined,
  KAFKA_BROKERS: undefined,
  REDIS_URL: undefined,
  INTERNAL_TOKEN: [TOKEN],
  IDENTITY_URL: [identityUrl],
  BELTWAY_SALE_ROUTING: 'on',
  LAME_DUCK_MS: 0,
  TICKETING_URL: undefined,
  PAYMENTS_URL: ['http://127.0.0.1:1'],
  CATALOG_URL: undefined,
  MEDIA_URL: undefined,
  PUBLIC_URL: 'http://localhost:3000',
  TICKET_SECRET: [SECRET],
  HOLD_MINUTES: 10,
  CHANGE_MAIL_MINUTES: 5,
  MAX_OPEN_HOLDS: 2,
  MAX_HELD_TICKETS: 20,
  MAX_HELD_PER_ADDRESS: 100,
  BELTWAY_RATE_LIMITS: 'on',
  DATA_DIR: dataDir,
  SUPPORT_EMAIL: 'help@beltway.test',
  MAIL_FROM: 'Beltway <tickets@beltway.test>',
  SMTP_URL: undefined,
});

/** The smallest JPEG: one white pixel. */
export const PICTURE = Buffer.from(
  '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z',
  'base64',
);

export const eventState = (eventId: number, capacity: number, extra: Partial<EventState> = {}): EventState =>
  anEventState({ eventId, ownerId: 7, title: `Night ${eventId}`, priceCents: 2550, capacity, ...extra });

/** Publishes events as catalog does, and waits until every instance sells them. */
export async function putOnSale({ bus, all }: Pick<Ticketing, 'bus' | 'all'>, ...events: EventState[]): Promise<void> {
  await bus.publish(
    'catalog.events',
    events.map((event) => message('catalog.event-published', `event-${event.eventId}`, event)),
  );
  for (const { url } of all)
    for (const { eventId } of events)
      await eventually(async () => (await call(url, 'GET', `/api/events/${eventId}/availability`)).status === 200);
}

/** Starts ticketing with event 42 on sale. */
export async function onSale(capacity: number, extra: Partial<EventState> = {}): Promise<Ticketing> {
  const ticketing = await startTicketing();
  await putOnSale(ticketing, eventState(42, capacity, extra));
  return ticketing;
}

/** Sold, held and capacity, as the public API returns them. */
export async function stockOf({ url }: Pick<Ticketing, 'url'>, eventId = 42) {
  const { sold, held, capacity } = (await call(url, 'GET', `/api/events/${eventId}/availability`)).body;
  return { sold, held, capacity } as { sold: number; held: number; capacity: number };
}

type Signed = { token?: string; headers?: Record<string, string> };

/** Holds two tickets of event 42 for Ann and creates their payment intent. `change` overrides fields of the request. */
export const startCheckout = ({ url }: Pick<Ticketing, 'url'>, change: object = {}, signed: Signed = {}) =>
  call(url, 'POST', '/api/create-ticket-payment-intent', {
    ...signed,
    body: { eventId: 42, quantity: 2, ticketHolderName: 'Ann', ticketHolderEmail: 'ann@example.test', ...change },
  });

/** Releases the order's hold as if it had lapsed and its payment had been canceled at the provider. */
export const lapseHold = (
  { deps }: Pick<Ticketing, 'deps'>,
  { orderId, paymentIntentId }: { orderId: string; paymentIntentId: string },
) =>
  deps.sales.handle(
    42,
    {
      type: 'ReleaseHold',
      orderId,
      reason: 'expired',
      at: new Date(deps.clock().getTime() + HOUR_MS).toISOString(),
      closedPaymentId: paymentIntentId,
    },
    { commandId: crypto.randomUUID() },
  );

/** Makes the payment succeed, then requests the tickets as the page does. */
export function pay({ url, fake }: Pick<Ticketing, 'url' | 'fake'>, paymentIntentId: string, signed: Signed = {}) {
  fake.become(paymentIntentId, 'succeeded');
  return call(url, 'POST', '/api/process-ticket-purchase', { ...signed, body: { paymentIntentId } });
}

/** Builds a message as another service publishes it. */
export const message = (type: string, key: string, data: unknown, id: string = crypto.randomUUID()) => ({
  id,
  type,
  version: 1,
  key,
  occurredAt: new Date().toISOString(),
  correlationId: 'test',
  causationId: 'test',
  data,
});

export interface Answer {
  status: number;
  // Tests check responses field by field, so a wrong type fails an expectation.
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  headers: Headers;
}

export async function call(
  url: string,
  method: string,
  path: string,
  options: { body?: unknown; raw?: string; token?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body, raw, token, headers } = options;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined || raw !== undefined ? { 'content-type': 'application/json' } : {}),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(raw !== undefined ? { body: raw } : body !== undefined ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  let parsed: unknown = text;
  if (response.headers.get('content-type')?.includes('json')) parsed = JSON.parse(text);
  return { status: response.status, body: parsed, headers: response.headers };
}

/** The sequence of a calendar file, in seconds: a later file replaces an earlier one. NaN if the file has none. */
export const sequenceOf = (file: string): number => Number(/^SEQUENCE:(\d+)/m.exec(file)?.[1]);
