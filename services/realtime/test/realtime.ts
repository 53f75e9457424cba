import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type { Role } from '@beltway/contracts/common/basics';
import type { ChatClientMessages, ChatMessage, ChatServerMessages } from '@beltway/contracts/realtime/chat';
import type { ClientMessages, ServerMessages } from '@beltway/contracts/realtime/socket';
import type { EventState } from '@beltway/contracts/catalog/events';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { openStore } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { authenticator } from '@beltway/kit/auth';
import { listDeadLetters } from '@beltway/kit/bus/dead-letters';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { openRedis } from '@beltway/kit/redis';
import { anEventState } from '@beltway/contracts/testing/events';
import { eventually, listen, testDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { fakeReports } from '@beltway/kit/testing-reports';
import { createApp } from '../src/app.ts';
import { toMessages } from '../src/publish.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const REALTIME = [
  eventStoreMigrations,
  ...['inbox', 'leases', 'jobs', 'erasures', 'requests', 'moderated'].map((name) =>
    folder(`../../../packages/kit/migrations/${name}`),
  ),
  folder('../prisma/migrations'),
];
const BUS = [folder('../../../packages/kit/migrations/bus')];
export const INTERNAL_TOKEN = 'x'.repeat(32);
export const PUBLIC_URL = 'https://beltway.test';

type ToPage = ServerMessages & ChatServerMessages;
type FromPage = ClientMessages & ChatClientMessages;
export type PageSocket = Socket<ToPage, FromPage> & {
  /** Chat messages in order of arrival. */
  messages: ChatMessage[];
  /** How often the page was notified that its token is no longer valid. */
  expiries: number;
  /** All stock states received so far. */
  heard: Availability[];
};

/** The resources that instances of a service share. */
export async function startGround() {
  const [database, busDatabase, identity] = await Promise.all([
    testDatabase(REALTIME),
    testDatabase(BUS),
    testIdentity(),
  ]);
  return {
    database,
    busDatabase,
    identity,
    close: async () => {
      await identity.close();
      await Promise.all([database.drop(), busDatabase.drop()]);
    },
  };
}

interface Options {
  redisUrl?: string;
  /** Pass shared resources to several instances. Shared resources are not closed together with an instance. */
  ground?: Awaited<ReturnType<typeof startGround>>;
  connectMs?: number;
  /** Test double of the catalog. By default, no follows and no matching searches. */
  catalog?: Parameters<typeof createApp>[0]['catalog'];
  /** Test double of media. By default, it keeps every picture. */
  media?: Parameters<typeof createApp>[0]['media'];
  /** Identity's queue of reports. */
  reports?: ReturnType<typeof fakeReports>;
  /** Test double of identity, which returns accounts' email addresses. */
  identityClient?: Parameters<typeof createApp>[0]['identity'];
  mailer?: Parameters<typeof createApp>[0]['mailer'];
  push?: Parameters<typeof createApp>[0]['push'];
  clock?: () => Date;
  isUnlimited?: boolean;
}

/**
 * Realtime on a fixed port, with a real Postgres and the embedded bus. It can be stopped and started again on the same
 * port.
 */
export async function startRealtime({
  redisUrl,
  ground,
  connectMs,
  catalog = { get: async () => ({ accounts: [], next: null }) },
  media = { post: async () => undefined },
  reports = fakeReports('realtime.moderation'),
  identityClient = { get: async () => ({ email: 'ann@example.org' }), post: reports.post },
  mailer = { send: async () => undefined },
  push,
  clock = () => new Date(),
  isUnlimited = false,
}: Options = {}) {
  const { database, busDatabase, identity, close } = ground ?? (await startGround());
  const log = logger('realtime', 'silent');
  const pool = openPool(database.url);
  // Ticketing's own connection to the bus, which stays open while realtime is stopped.
  const ticketing = await openBus({ BUS_DATABASE_URL: busDatabase.url });
  await ticketing.ensureTopics([
    ...['ticketing.events', 'identity.events', 'realtime.events', 'catalog.events', 'payments.events'],
  ]);
  reports.joins(ticketing);
  const pages = new Set<PageSocket>();
  let port = 0;

  async function launch() {
    const bus = await openBus({ BUS_DATABASE_URL: busDatabase.url });
    const auth = await authenticator({ identity: identity.url, internalToken: INTERNAL_TOKEN, bus, log });
    const redis = redisUrl ? await openRedis({ url: redisUrl, log, answerMs: 1_000 }) : undefined;
    const store = openStore({ url: database.url, toMessages });
    const realtime = await createApp({
      ...{
        log,
        pool,
        store,
        bus,
        auth,
        publicUrl: PUBLIC_URL,
        redis,
        connectMs,
        catalog,
        media,
        clock,
        isUnlimited,
      },
      ...{ internalToken: INTERNAL_TOKEN, instance: randomUUID(), identity: identityClient, mailer, push },
    });
    const server = createServer(realtime.handler);
    realtime.attach(server);
    await listen(server, { port });
    port = (server.address() as AddressInfo).port;
    await eventually(() => auth.ready());
    return {
      io: realtime.io,
      ring: realtime.ring,
      erase: realtime.erase,
      sendMails: realtime.sendMails,
      sendPushes: realtime.sendPushes,
      connections: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
      redis,
      stop: async () => {
        const closed = new Promise((resolve) => server.close(resolve));
        await realtime.drain();
        await closed;
        await realtime.stop();
        await store.close();
        await auth.stop();
        await bus.close();
        redis?.close();
      },
    };
  }
  let running = await launch();

  return {
    pool,
    identity,
    /** The bus, as other services use it. */
    bus: ticketing,
    reports,
    /** Sends all notifications that are due now. */
    ring: () => running.ring(),
    databaseUrl: database.url,
    erase: (userId: number) => running.erase(userId),
    sendMails: () => running.sendMails(),
    sendPushes: () => running.sendPushes(),
    get io() {
      return running.io;
    },
    /** The number of open TCP connections. */
    connections: () => running.connections(),
    get redis() {
      return running.redis;
    },
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    /** Opens a page. The page then starts to connect. */
    open: (options: Partial<ManagerOptions & SocketOptions> = {}): PageSocket => {
      const socket = io(`http://127.0.0.1:${port}`, {
        forceNew: true,
        reconnectionDelay: 20,
        reconnectionDelayMax: 50,
        ...options,
      });
      const page: PageSocket = Object.assign(socket as Socket<ToPage, FromPage>, {
        heard: [],
        messages: [],
        expiries: 0,
      });
      page.on('messages', ({ messages }) => void page.messages.push(...messages));
      page.on('token-expired', () => void page.expiries++);
      page.on('ticketing.stock-changed', (stock) => void page.heard.push(stock));
      pages.add(page);
      return page;
    },
    tokenOf: (user: { id: number; role?: Role }) => identity.tokenFor(user),
    /** Ticketing publishes stock states, in one batch. */
    say: (...states: Array<Partial<Availability> & { eventId: number; version: number }>) =>
      ticketing.publish(
        'ticketing.events',
        states.map((state) => message('ticketing.stock-changed', state)),
      ),
    /** Ticketing publishes another message, or a broken one. */
    sayOther: (type: string, data: unknown) =>
      ticketing.publish('ticketing.events', [
        { ...message('ticketing.stock-changed', { eventId: 1, version: 1 }), type, data },
      ]),
    /** The catalog publishes an event's current state. */
    sayEvent: (
      eventId: number,
      {
        ownerId = 1,
        title = `Event ${eventId}`,
        version = 1,
        ...more
      }: Partial<EventState> & { status?: 'canceled' } = {},
    ) => {
      const { status, ...state } = more;
      const type = status ?? (version === 1 ? 'published' : 'updated');
      const data = { ...anEventState(state), eventId, ownerId, title, version };
      return ticketing.publish('catalog.events', [
        { ...message('', { eventId, version }), key: `event-${eventId}`, type: `catalog.event-${type}`, data },
      ]);
    },
    /** Resolves when all messages so far are stored. */
    kept: () =>
      eventually(async () =>
        Object.values(await ticketing.lag('realtime.stock', ['ticketing.events'])).every((lag) => lag === 0),
      ),
    deadLetters: () => listDeadLetters(ticketing),
    stop: () => running.stop(),
    start: async () => void (running = await launch()),
    close: async () => {
      for (const page of pages) page.disconnect();
      await running.stop();
      await ticketing.close();
      await pool.end();
      if (!ground) await close();
    },
  };
}

export type Realtime = Awaited<ReturnType<typeof startRealtime>>;

export const watch = (page: PageSocket, ...eventIds: number[]): Promise<number> =>
  page.timeout(5_000).emitWithAck('watch-stock', eventIds);

const message = (type: string, state: Partial<Availability> & { eventId: number; version: number }) => ({
  id: randomUUID(),
  type,
  version: 1,
  key: `sale-${state.eventId}`,
  occurredAt: new Date().toISOString(),
  correlationId: 'test',
  causationId: 'test',
  data: { capacity: 10_000, sold: 0, held: 0, ...state },
});
