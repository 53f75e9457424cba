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

/** Runs all jobs that wait in a queue, also those that are due later. */
async function runAll(pool: Pool, queue: string, start: () => Worker): Promise<void> {
  await pool.query('update jobs set run_at = now() where queue = $1 and lease is null', [queue]);
  await runJobs(start());
}

type Parts = Pick<Identity, 'pool' | 'log' | 'engagements' | 'challenges'> & { clock: () => Date };
/** Checks all facts that may count. */
export const checkAll = (parts: Parts) => runAll(parts.pool, 'fact-check', () => startChecks(parts.log, parts));
/** Checks who has met a challenge. */
export const checkChallenges = (parts: Parts) =>
  runAll(parts.pool, 'challenge-check', () => startChallengeChecks(parts.log, parts));

/** Closed after the test, last first. */
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
  /** It makes signing keys of its own. Default: its one key is that of all services of this process. */
  makesKey?: boolean;
}

/** One for all services of this process: making one takes the processor longer than making a database. */
let madeKey: Promise<NewKey> | undefined;

/** A service that has nothing of anybody and nothing against the end of an account. */
const quiet = {
  get: async (path: string): Promise<unknown> => (path.endsWith('/obstacles') ? { obstacles: [] } : {}),
  post: async (_path: string): Promise<unknown> => Promise.reject(new HttpProblem(404, 'not-found')),
};

const SERVICES = { catalog: quiet, ticketing: quiet, payments: quiet, media: quiet, realtime: quiet };

/** One instance of the service as main.ts puts it together, behind a real port, with its log lines in `lines`. */
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

  /** All messages on the bus, in order, once everything appended so far is published. */
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
  /** Sent unchanged, instead of `body`. */
  raw?: string;
  token?: string | undefined;
  cookie?: string | undefined;
  /** What makes this browser a known device. */
  device?: string | undefined;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests look into answers of many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  /** The refresh cookie the answer sets: `''` when it clears it, undefined when it does not speak of it. */
  cookie: string | undefined;
  /** The device cookie that the answer sets. */
  device: string | undefined;
}

/** Answers of a server, as a browser with no cookie jar gets them. */
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

/** An account with the role admin, signed in again so that its token has the role. */
export async function admin(service: Identity): Promise<SignedIn> {
  const { user, email } = await register(service, { name: 'Ada' });
  await service.users.handle(user.id, { type: 'ChangeRole', role: 'admin' }, { commandId: randomUUID() });
  const answer = await service.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  return { ...(answer.json as Session), cookie: answer.cookie ?? '', device: answer.device, email };
}

/** A clock that moves only on command. */
export function movableClock() {
  let now = Date.now();
  return { clock: () => new Date(now), pass: (seconds: number) => void (now += seconds * 1_000) };
}
