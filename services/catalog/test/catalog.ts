import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openStore } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import type { AdPackageId } from '@beltway/contracts/payments/ads';
import type { Message, Role } from '@beltway/contracts/common/basics';
import type { Event } from '@beltway/contracts/catalog/events';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import { openAllowances } from '@beltway/kit/allowances';
import { authenticator } from '@beltway/kit/auth';
import { internalClient } from '@beltway/kit/internal';
import { logger } from '@beltway/kit/logger';
import { startRelay } from '@beltway/kit/bus/relay';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { eventually, listen, testDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { openAds } from '../src/ads/stream.ts';
import { openAdCounting } from '../src/ads/counting.ts';
import { noteAccount } from '../src/accounts/accounts.ts';
import { createApp } from '../src/app.ts';
import { startConsumers } from '../src/consumers.ts';
import { openViews } from '../src/engagement/views.ts';
import { openListings } from '../src/event/stream.ts';
import { moderatedKinds } from '../src/suspension/moderated.ts';
import { startSuspending } from '../src/suspension/suspension.ts';
import { TOPIC, toMessages } from '../src/publish.ts';
import { openFeedPool } from '../src/search/pool.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CATALOG = [
  eventStoreMigrations,
  folder('../../../packages/kit/migrations/inbox'),
  folder('../../../packages/kit/migrations/jobs'),
  folder('../../../packages/kit/migrations/erasures'),
  folder('../../../packages/kit/migrations/allowances'),
  folder('../../../packages/kit/migrations/requests'),
  folder('../../../packages/kit/migrations/moderated'),
  folder('../prisma/migrations'),
];
const BUS = [folder('../../../packages/kit/migrations/bus')];
export const PUBLIC_URL = 'https://beltway.test';
export const INTERNAL_TOKEN = 'x'.repeat(32);

/**
 * A fake media service that is up, is down or refuses pictures. Records the pictures that it was requested to store.
 */
export interface FakeMedia {
  mode: 'up' | 'down' | 'refuses' | 'has-none';
  stored: string[];
  /** URLs of stored pictures that the service was requested to keep. */
  kept: string[];
  /** Viewers of live streams. */
  viewers: Array<{ eventId: number; viewers: number }>;
}

export interface Answer<Body = never> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Person {
  id: number;
  role?: Role;
  /** Default true. */
  isVerified?: boolean;
}

/** Starts the catalog over HTTP, with a real Postgres and the embedded bus. Tests set `time.now`. */
export async function startCatalog() {
  const time = { now: new Date('2026-12-01T12:00:00Z') };
  const [database, busDatabase, identity] = await Promise.all([
    testDatabase(CATALOG),
    testDatabase(BUS),
    testIdentity(),
  ]);
  // Prints unexpected errors, because a 500 response does not contain the cause.
  const log = logger('catalog', 'error');
  const store = openStore({ url: database.url, toMessages });
  const pool = openPool(database.url);
  const feedPool = openFeedPool(database.url, log);
  const bus = await openBus({ BUS_DATABASE_URL: busDatabase.url });
  await bus.ensureTopics([
    TOPIC,
    'ticketing.events',
    'identity.events',
    'payments.events',
    'media.events',
    'realtime.events',
  ]);
  const auth = await authenticator({ identity: identity.url, internalToken: INTERNAL_TOKEN, bus, log });
  const media: FakeMedia = { mode: 'up', stored: [], kept: [], viewers: [] };
  const mediaServer = createServer((req, res) => answerAsMedia(media, req, res));
  const mediaUrl = await listen(mediaServer);
  /** Active accounts, as identity reports them. */
  const accounts = { asked: [] as string[], answer: (): unknown => ({ count: 7 }) };
  /** What canceling an event refunds, as payments reports it. */
  const refundable = { asked: [] as string[], answer: (): unknown => ({ orders: 2, refundCents: 5_000 }) };
  const views = openViews({ pool, log, clock: () => time.now });
  const adCounting = openAdCounting({ pool, log, clock: () => time.now });
  const listings = openListings(store);
  const ads = openAds(store);
  const promotions = { pool, listings, clock: () => time.now };
  const kinds = moderatedKinds({ ...promotions, ads });
  const moderated = { pool, identity: { post: async () => ({ items: [] }) }, kinds };
  const app = createApp({
    log,
    listings,
    ads,
    pool,
    searchPool: pool,
    feedPool,
    auth,
    internalToken: INTERNAL_TOKEN,
    publicUrl: PUBLIC_URL,
    media: internalClient(mediaUrl, INTERNAL_TOKEN, 2_000),
    audience: internalClient(mediaUrl, INTERNAL_TOKEN, 2_000),
    payments: { get: async (path) => (refundable.asked.push(path), refundable.answer()) },
    identity: { get: async (path) => (accounts.asked.push(path), accounts.answer()) },
    moderated,
    views,
    adCounting,
    allowances: openAllowances(pool, INTERNAL_TOKEN),
    checks: { database: () => pool.query('select 1') },
    clock: () => time.now,
  });
  const server = createServer(app);
  const url = await listen(server);
  const consumers = await startConsumers({ bus, log, ads, moderated, ...promotions });
  const suspending = startSuspending({ pool, listings, log });
  const relay = await startRelay({ store, bus, pool, log, topic: TOPIC });
  await eventually(() => auth.ready());

  async function call<Body>(
    method: string,
    path: string,
    { as, body, headers = {} }: CallOptions = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as && { authorization: `Bearer ${await identity.tokenFor(as)}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as Body };
  }

  /** Publishes a message about a payment, as payments does. */
  const payments = (type: string, purchase: string, data: object, id: string = randomUUID()) =>
    bus.publish('payments.events', [
      {
        id,
        type: `payments.${type}`,
        version: 1,
        key: `payment-${purchase}`,
        occurredAt: new Date().toISOString(),
        correlationId: purchase,
        causationId: purchase,
        data,
      },
    ]);

  return {
    time,
    pool,
    feedPool,
    listings,
    promotions,
    bus,
    views,
    ads,
    adCounting,
    media,
    accounts,
    refundable,
    url,
    databaseUrl: database.url,
    call,
    identity,
    /** Publishes an event as `organizer`; throws if it is refused. */
    publish: async (organizer: Person, more: object = {}): Promise<Event> => {
      const { status, body } = await call<Event>('POST', '/api/events', {
        as: organizer,
        body: { ...concert, ...more },
      });
      if (status !== 201) throw new Error(`not published: ${JSON.stringify(body)}`);
      return body;
    },
    /** All messages published so far, in order, after the relay has caught up. */
    told: async (): Promise<Message[]> => {
      await relay.caughtUp();
      const messages: Message[] = [];
      await bus.replay(TOPIC, async (batch) => void messages.push(...batch.map(({ message }) => message as Message)));
      return messages;
    },
    /** Publishes an event's stock, as ticketing does. */
    hear: (eventId: number, stock: { sold: number; held: number; version: number }) =>
      bus.publish('ticketing.events', [
        {
          id: randomUUID(),
          type: 'ticketing.stock-changed',
          version: 1,
          key: `sale-${eventId}`,
          occurredAt: new Date().toISOString(),
          correlationId: 'test',
          causationId: 'test',
          data: { eventId, capacity: 100, ...stock },
        },
      ]),
    /** Publishes a message about a case, as identity does; resolves when it was handled. */
    hearCase: async (type: 'content-reported' | 'content-moderated', data: { kind: string; id: string }) => {
      const id = randomUUID();
      await bus.publish('identity.events', [
        {
          ...{ id, type: `identity.${type}`, version: 1, key: `case-${data.kind}.${data.id}` },
          ...{ occurredAt: new Date().toISOString(), correlationId: 'test', causationId: 'test', data },
        },
      ]);
      await eventually(async () => (await bus.lag('catalog.moderation', ['identity.events']))['identity.events'] === 0);
    },
    /**
     * Publishes that an account was suspended or reinstated, as identity does; resolves when its events were updated.
     */
    suspend: async (userId: number, version: number, isSuspended = true): Promise<void> => {
      await bus.publish('identity.events', [
        {
          id: randomUUID(),
          type: 'identity.suspension-changed',
          version: 1,
          key: `user-${userId}`,
          occurredAt: new Date().toISOString(),
          correlationId: 'test',
          causationId: 'test',
          data: { userId, isSuspended, version },
        },
      ]);
      await eventually(async () => (await bus.lag('catalog.accounts', ['identity.events']))['identity.events'] === 0);
      await suspending.work();
    },
    /** Publishes that a promotion was paid. */
    promote: (
      eventId: number,
      level: 'featured' | 'premium' | 'livestream',
      { promotionId = randomUUID() as string, id = randomUUID() as string } = {},
    ) =>
      payments(
        'promotion-paid',
        promotionId,
        { promotionId, paymentId: 'pi_test_1', eventId, level, amountCents: 2_999 },
        id,
      ),
    /** Publishes that the payment of a promotion was refunded or lost. */
    withdraw: (
      eventId: number,
      promotionId: string,
      level: 'featured' | 'premium' | 'livestream',
      cause: PaymentLoss,
      id: string = randomUUID(),
    ) =>
      payments(
        'promotion-refunded',
        promotionId,
        { promotionId, paymentId: 'pi_test_1', eventId, level, amountCents: 2_999, cause },
        id,
      ),
    /** Publishes that the signal of a live stream started or stopped, as media does. */
    broadcast: (eventId: number, isLive: boolean, version: number, id: string = randomUUID(), source = 'rtmp') =>
      bus.publish('media.events', [
        {
          id,
          type: isLive ? 'media.broadcast-started' : 'media.broadcast-ended',
          version: 1,
          key: `broadcast-${eventId}`,
          occurredAt: time.now.toISOString(),
          correlationId: 'test',
          causationId: 'test',
          data: {
            ...{ eventId, version },
            ...(isLive
              ? { source, startedAt: time.now.toISOString() }
              : { reason: 'stopped', endedAt: time.now.toISOString() }),
          },
        },
      ]),
    /** Publishes that an ad was paid; returns its id and the key of its buyer's link. */
    buyAd: async (
      packageId: AdPackageId,
      given: { adId?: string; id?: string; paymentId?: string } = {},
    ): Promise<{ adId: string; key: string }> => {
      const { adId = randomUUID(), id = randomUUID() } = given;
      const { paymentId = `pi_${adId}` } = given;
      const key = `key-of-${adId}`;
      await payments(
        'ad-paid',
        adId,
        {
          ...{ adId, paymentId, packageId, amountCents: 4_999, paidAt: time.now.toISOString(), userId: null },
          ...{ businessName: 'The Wharf', eventTitle: 'Go-Go Night' },
          keyHash: createHash('sha256').update(key).digest('hex'),
        },
        id,
      );
      return { adId, key };
    },
    /** Publishes that the payment of an ad was refunded or lost. */
    refundAd: (adId: string, cause: PaymentLoss, id: string = randomUUID()) =>
      payments('ad-refunded', adId, { adId, paymentId: `pi_${adId}`, cause }, id),
    /** Publishes that a live stream was paid. */
    stream: (
      eventId: number,
      livestream: PaidLivestream,
      { promotionId = randomUUID() as string, id = randomUUID() as string } = {},
    ) =>
      payments(
        'livestream-paid',
        promotionId,
        { promotionId, paymentId: 'pi_test_1', eventId, amountCents: 9_999, livestream },
        id,
      ),
    /** Publishes the configuration that a buyer confirmed for a live stream. */
    configured: (eventId: number, livestream: PaidLivestream, promotionId: string) =>
      payments('livestream-configured', promotionId, {
        promotionId,
        paymentId: 'pi_test_1',
        eventId,
        amountCents: 9_999,
        livestream,
      }),
    /** Stores the account's name, as its first request does. */
    introduce: ({ id: userId }: Person, name: string) => noteAccount(pool, { userId, name }),
    /** Resolves when catalog has handled all messages so far. */
    heard: () =>
      eventually(async () => {
        const lags = await Promise.all([
          bus.lag('catalog.stock', ['ticketing.events']),
          bus.lag('catalog.payments', ['payments.events']),
          bus.lag('catalog.broadcasts', ['media.events']),
          bus.lag('catalog.accounts', ['identity.events']),
        ]);
        return lags.flatMap((lag) => Object.values(lag)).every((lag) => lag === 0);
      }),
    close: async () => {
      await consumers.stop();
      await suspending.stop();
      await relay.stop();
      await views.stop();
      await adCounting.stop();
      await auth.stop();
      await Promise.all([server, mediaServer].map(closed));
      await bus.close();
      await Promise.all([store.close(), pool.end(), feedPool.end(), identity.close()]);
      await Promise.all([database.drop(), busDatabase.drop()]);
    },
  };
}

export type Catalog = Awaited<ReturnType<typeof startCatalog>>;

interface CallOptions {
  as?: Person;
  body?: unknown;
  headers?: Record<string, string>;
}

export const concert = {
  title: 'Go-Go at the Wharf',
  description: 'Three bands, one pier.',
  eventDate: '2026-12-05T05:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: '',
  location: 'The Wharf, DC',
  tags: ['#music', '#rooftop'],
  contactEmail: 'booking@example.test',
};

export const withTickets = { hasTickets: true, ticketSalesEnabled: true, ticketPrice: 25, totalTickets: 100 };

/** An embedded picture of `bytes` bytes, as the form sends it. */
export const embedded = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes, 7).toString('base64')}`;

async function answerAsMedia(
  media: FakeMedia,
  req: import('node:http').IncomingMessage,
  res: import('node:http').ServerResponse,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const answer = (status: number, body: object) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
  if (req.url?.startsWith('/internal/viewers?events=') && media.mode === 'up')
    return answer(200, { viewers: media.viewers });
  const isKept = req.url === '/internal/images/kept';
  if (req.headers['x-internal-token'] !== INTERNAL_TOKEN || !(isKept || req.url === '/internal/images'))
    return answer(403, { code: 'forbidden' });
  if (media.mode === 'down') return void req.socket.destroy();
  if (isKept) {
    const { url } = JSON.parse(Buffer.concat(chunks).toString()) as { url: string };
    media.kept.push(url);
    return media.mode === 'has-none' ? answer(404, { code: 'not-found' }) : void res.writeHead(204).end();
  }
  if (media.mode === 'refuses')
    return answer(415, {
      code: 'not-an-image',
      text: 'not-an-image',
      detail: 'Please select an image file (JPG, PNG, GIF, etc.)',
    });
  const { dataUrl } = JSON.parse(Buffer.concat(chunks).toString()) as { dataUrl: string };
  media.stored.push(dataUrl);
  const path = `/media/images/${dataUrl.length}`;
  answer(201, {
    url: `${path}-large.webp`,
    thumbnailUrl: `${path}-small.webp`,
    width: 1280,
    height: 800,
    tint: 'c0ffee',
  });
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
