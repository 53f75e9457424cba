import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { holdsLock } from '../pg/advisory-lock.ts';
import { connection } from '../pg/connection.ts';
import { prepared } from '../pg/prepared.ts';
import type { Queries } from '../types.ts';

/** Detects whether another process can append to this log. If no other process can, cached states are current. */
export interface SoleWriter {
  /**
   * The application name of every appending connection. Other processes detect this process while any such connection
   * is open.
   */
  applicationName: string;
  /**
   * Must be called for each new appending connection before its first append. Warns other processes that their cached
   * states may become stale, and waits until the sole writer has received the announcement. Ends the session of a sole
   * writer that hangs.
   */
  announce(client: Queries): Promise<void>;
  /**
   * A number that stays the same while no other process can append. Undefined if another process can append, or while
   * this is unknown.
   */
  epoch(): number | undefined;
  close(): Promise<void>;
}

const CHANNEL = 'log_peers';
const WITH_OTHERS_MS = 1_000;
const SOLE_MS = 5_000;
const LONGEST_PAUSE_MS = 2_000;
const RELEASE_MS = 1_000;
const RELEASE_PAUSE_MS = 5;

const LOCK = `hashtextextended('sole-writer', 1)`;
/** The session of another process that holds the lock. */
const SOLE_WRITER = `from pg_locks join pg_stat_activity using (pid) where ${holdsLock(LOCK)} and application_name <> $1`;
const HAS_SOLE_WRITER = `select exists (select ${SOLE_WRITER}) as "isThere"`;
const END_SOLE_WRITER = `select pg_terminate_backend(pid) ${SOLE_WRITER}`;
const HAS_OTHERS = `select exists (
  select from pg_stat_activity
  where datname = current_database() and application_name like 'log %' and application_name <> $1
) as "isThere"`;

export interface SoleWriterTimes {
  /** How often to check whether other appending processes have ended. Default 1 s. */
  withOthersMs?: number | undefined;
  /** How often a sole writer checks whether it still is. Default 5 s. */
  soleMs?: number | undefined;
  /** How long a new connection waits for the sole writer before it ends the sole writer's session. Default 1 s. */
  releaseMs?: number | undefined;
}

/**
 * A starting process announces itself, and all other processes check the list of sessions again. They detect that a
 * process has ended at their next check. The sole writer holds an advisory lock. It takes the lock before its last check
 * for sessions, and an announcing process has a session before it checks the lock, so one of the two detects the other.
 */
export function watchSoleWriter(
  url: string,
  { withOthersMs = WITH_OTHERS_MS, soleMs = SOLE_MS, releaseMs = RELEASE_MS }: SoleWriterTimes = {},
): SoleWriter {
  const applicationName = `log ${randomUUID()}`;
  let epoch: number | undefined;
  let epochs = 0;
  let announcements = 0;
  let closed = false;
  let wake: () => void = () => undefined;

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (closed) wake();
    });

  const isThere = async (client: Queries, text: string): Promise<boolean> =>
    (await client.query<{ isThere: boolean }>(prepared(text, [applicationName]))).rows[0]!.isThere;

  const lock = async (client: Queries): Promise<boolean> =>
    (await client.query<{ won: boolean }>(`select pg_try_advisory_lock(${LOCK}) as won`)).rows[0]!.won;

  async function announce(client: Queries): Promise<void> {
    await client.query('select pg_notify($1, $2)', [CHANNEL, applicationName]);
    const until = performance.now() + releaseMs;
    while (await isThere(client, HAS_SOLE_WRITER)) {
      // The process hangs. If it resumes, it first receives the end of its session.
      if (performance.now() >= until) return void (await client.query(END_SOLE_WRITER, [applicationName]));
      await pause(RELEASE_PAUSE_MS);
    }
  }

  async function watch(client: Client): Promise<void> {
    let isLost = false;
    let hasLock = false;
    const onLoss = () => {
      isLost = true;
      epoch = undefined;
      wake();
    };
    client.on('error', onLoss);
    client.on('end', onLoss);
    client.on('notification', ({ payload }) => {
      if (payload === applicationName) return;
      announcements++;
      epoch = undefined;
      wake();
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await announce(client);
    while (!closed && !isLost) {
      const before = announcements;
      let isSole = !(await isThere(client, HAS_OTHERS));
      if (isSole && !hasLock) {
        hasLock = await lock(client);
        isSole = hasLock && !(await isThere(client, HAS_OTHERS));
      }
      if (!isSole) {
        epoch = undefined;
        if (hasLock) await client.query(`select pg_advisory_unlock(${LOCK})`);
        hasLock = false;
      }
      if (announcements !== before) continue;
      if (isSole) epoch ??= ++epochs;
      await sleep(epoch === undefined ? withOthersMs : soleMs);
    }
  }

  async function run(): Promise<void> {
    for (let pauseMs = 50; !closed; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const client = new Client({
        connectionString: url,
        application_name: applicationName,
        connectionTimeoutMillis: 3_000,
        query_timeout: 5_000,
        ...connection('-c synchronous_commit=off'), // an announcement need not wait for the disk
      });
      await watch(client).catch(() => undefined); // safe: streams then read the log before they reject
      epoch = undefined;
      await client.end().catch(() => undefined);
      if (!closed) await sleep(pauseMs);
    }
  }

  const running = run();
  return {
    applicationName,
    announce,
    epoch: () => epoch,
    close: async () => {
      closed = true;
      wake();
      await running;
    },
  };
}
