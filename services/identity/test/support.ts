import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Message } from '@beltway/contracts/common/basics';
import type { Session } from '@beltway/contracts/identity/accounts';
import { openStore, relay } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { HttpProblem } from '@beltway/kit/problems';
import { openBus } from '@beltway/kit/bus/open';
import type { Worker } from '@beltway/kit/jobs';
import { openPool } from '@beltway/kit/postgres';
import { listen, runJobs, testDatabase } from '@beltway/kit/testing';
import { createApp } from '../src/app.ts';
import { config, type Config } from '../src/config.ts';
import { openPrisma } from '../src/db.ts';
import { startChallengeChecks } from '../src/engagement/challenge/checks.ts';
import { startChecks } from '../src/engagement/checks.ts';
import { makeKey, type NewKey } from '../src/keys/keyring.ts';
import type { Hasher } from '../src/password/hasher.ts';
import { TOPIC, toMessages } from '../src/publish.ts';

const OWN = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
const INBOX = fileURLToPath(new URL('../../../packages/kit/migrations/inbox', import.meta.url));
const REQUESTS = fileURLToPath(new URL('../../../packages/kit/migrations/requests', import.meta.url));
const JOBS = fileURLToPath(new URL('../../../packages/kit/migrations/jobs', import.meta.url));
const BUS = fileURLToPath(new URL('../../../packages/kit/migrations/bus', import.meta.url));
export const INTERNAL_TOKEN = 'internal-token-of-the-tests-0123456789';
export const PASSWORD = 'gr33n-line to Anacostia';

/** Runs all waiting jobs of a queue, including jobs that are due later. */
async function runAll(pool: Pool, queue: string, start: () => Worker): Promise<void> {
  await pool.query('update jobs set run_at = now() where queue = $1 and lease is null', [queue]);
  await runJobs(start());
}

type Parts = Pick<Identity, 'pool' | 'log' | 'engagements' | 'challenges'> & { clock: () => Date };
/** Runs all fact checks. */
export const checkAll = (parts: Parts) => runAll(parts.pool, 'fact-check', () => startChecks(parts.log, parts));
/** Runs all challenge checks. */
export const checkChallenges = (parts: Parts) =>
  runAll(parts.pool, 'challenge-check', () => startChallengeChecks(parts.log, parts));

/** Registers a function to run after the test. Registered functions run in reverse order. */
export const later = (close: () => unknown) => onTestFinished(async () => void (await close()));

export interface Databases {
  url: string;
  busUrl: string;
}

export async function databases(): Promise<Databases> {
  const [own, bus] = [
    await testDatabase([eventStoreMigrations, INBOX, JOBS, REQUESTS, OWN]),
    await testDatabase([BUS]),
  ];
  later(own.drop);
  later(bus.drop);
  return { url: own.url, busUrl: bus.url };
}

export interface Options {
  services?: { [Name in keyof typeof SERVICES]?: Partial<typeof quiet> };
  on?: Databases;
  env?: Record<string, string>;
  clock?: () => Date;
  hasher?: Hasher;
  /** Generates signing keys of its own. Default: one key shared by all services of this process. */
  makesKey?: boolean;
}

/** The key that all services of this process share, because generating a key takes longer than creating a database. */
let madeKey: Promise<NewKey> | undefined;

/** A service that holds no personal data and reports no reason against an erasure. */
const quiet = {
  get: async (path: string): Promise<unknown> => (path.endsWith('/obstacles') ? { obstacles: [] } : {}),
  post: async (_path: string): Promise<unknown> => Promise.reject(new HttpProblem(404, 'not-found')),
};

const SERVICES = { catalog: quiet, ticketing: quiet, payments: quiet, media: quiet, realtime: quiet };

/** One instance of the service on a real port, assembled as in main.ts. `lines` contains its log. */
export async function identity({ on, env = {}, clock, hasher, services = {}, makesKey = false }: Options = {}) {
  const { url, busUrl } = on ?? (await databases());
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const settings: Config = config({
    SERVICE_PORT: '0',
    DATABASE_URL: url,
    BUS_DATABASE_URL: busUrl,
    INTERNAL_TOKEN,
    IDENTITY_URL: 'http://127.0.0.1:1',
    CATALOG_URL: 'http://127.0.0.1:1',
    TICKETING_URL: 'http://127.0.0.1:1',
    PAYMENTS_URL: 'http://127.0.0.1:1',
    MEDIA_URL: 'http://127.0.0.1:1',
    REALTIME_URL: 'http://127.0.0.1:1',
    KEY_ENCRYPTION_SECRET: 'key-encryption-secret-of-the-tests-0123',
    ...env,
  });
  const store = openStore({ url, toMessages, warn: (error, message) => log.warn({ err: error }, message) });
  later(() => store.close());
  const pool = openPool(url, { log });
  later(() => pool.end());
  const db = openPrisma(pool);
  const bus = await openBus(settings);
  later(() => bus.close());
  await bus.ensureTopics([TOPIC]);
  const parts = createApp({
    config: settings,
    log,
    store,
    pool,
    db,
    services: {
      ...SERVICES,
      ...Object.fromEntries(Object.entries(services).map(([name, given]) => [name, { ...quiet, ...given }])),
    },
    ...(clock && { clock }),
    ...(hasher && { hasher }),
    ...(!makesKey && { makeKey: () => (madeKey ??= makeKey()) }),
  });
  const relaying = relay(store, { topic: TOPIC, send: (messages) => bus.publish(TOPIC, messages) });
  later(() => relaying.stop());

  const server = createServer(parts.app);
  const base = await listen(server);
  later(() => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))));

  /** All messages on the bus, in order, once all appended events are published. */
  async function told(): Promise<Message[]> {
    await relaying.caughtUp();
    const messages: Message[] = [];
    await bus.replay(TOPIC, async (batch) => void messages.push(...batch.map(({ message }) => message as Message)));
    return messages;
  }

  const rows = async (sql: string, values: unknown[] = []) =>
    (await pool.query(sql, values)).rows as Array<Record<string, unknown>>;
  return { ...parts, base, bus, store, pool, db, log, lines, settings, told, rows, call: caller(base) };
}

export type Identity = Awaited<ReturnType<typeof identity>>;

export interface Call {
  body?: unknown;
  /** The body to send unchanged, in place of `body`. */
  raw?: string;
  token?: string | undefined;
  cookie?: string | undefined;
  /** The device cookie that makes this browser a known device. */
  device?: string | undefined;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests read responses of many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  /**
   * The refresh cookie that the response sets: `''` when the response clears the cookie, undefined when it sets none.
   */
  cookie: string | undefined;
  /** The device cookie that the response sets. */
  device: string | undefined;
}

/** Returns a function that sends requests to the server as a client without a cookie jar. */
export function caller(base: string) {
  return async (
    method: string,
    path: string,
    { body, raw, token, cookie, device, headers = {} }: Call = {},
  ): Promise<Answer> => {
    const cookies = [
      ...(cookie === undefined ? [] : [`theme=dark; beltway_refresh=${cookie}`]),
      ...(device === undefined ? [] : [`beltway_device=${device}`]),
    ];
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const text = await response.text();
    const set = (name: string) =>
      response.headers
        .getSetCookie()
        .find((one) => one.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .replace(/;.*/, '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text.startsWith('{') ? JSON.parse(text) : undefined,
      cookie: set('beltway_refresh'),
      device: set('beltway_device'),
    };
  };
}

export const newEmail = (name = 'rider'): string => `${name}-${randomUUID().slice(0, 8)}@example.test`;

export interface SignedIn extends Session {
  cookie: string;
  device: string | undefined;
  email: string;
}

export async function register(
  { call }: Pick<Identity, 'call'>,
  given: Record<string, unknown> = {},
  headers = {},
): Promise<SignedIn> {
  const email = (given['email'] as string | undefined) ?? newEmail();
  const answer = await call('POST', '/api/auth/register', {
    body: { name: 'Rosa Parks', password: PASSWORD, ...given, email },
    headers,
  });
  if (answer.status !== 201) throw new Error(`registration answered ${answer.status}: ${answer.text}`);
  return { ...(answer.json as Session), cookie: answer.cookie ?? '', device: answer.device, email };
}

/** Creates an admin account without codes at sign-in. Its session has only the rights of a user. */
export async function newAdmin(service: Identity): Promise<SignedIn> {
  const { user, email } = await register(service, { name: 'Ada' });
  await service.users.handle(user.id, { type: 'ChangeRole', role: 'admin' }, { commandId: randomUUID() });
  const answer = await service.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  return { ...(answer.json as Session), cookie: answer.cookie ?? '', device: answer.device, email };
}

/** Creates an admin account with codes at sign-in. Its session has proved them. No authenticator app has the secret. */
export async function admin(service: Identity): Promise<SignedIn> {
  const { user, email, cookie, device } = await newAdmin(service);
  const secretId = randomUUID();
  await service.rows(`insert into totp_secrets (id, user_id, sealed, created_at) values ($1, $2, '', now())`, [
    secretId,
    user.id,
  ]);
  await service.factors.handle(
    user.id,
    { type: 'TurnOn', secretId, step: 0, recoveryCodes: 0 },
    { commandId: randomUUID() },
  );
  await service.rows('update sessions set totp_secret_id = $1 where user_id = $2', [secretId, user.id]);
  const answer = await service.call('POST', '/api/auth/refresh', { cookie });
  return { ...(answer.json as Session), cookie: answer.cookie ?? '', device, email };
}

/** A clock that advances only on command. */
export function movableClock() {
  let now = Date.now();
  return { clock: () => new Date(now), pass: (seconds: number) => void (now += seconds * 1_000) };
}
