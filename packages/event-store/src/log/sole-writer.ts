import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
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
   * states may become stale.
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

/**
 * A starting process announces itself, and all other processes check the list of sessions again. They detect that a
 * process has ended at their next check.
 */
export function watchSoleWriter(url: string, withOthersMs = WITH_OTHERS_MS): SoleWriter {
  const applicationName = `log ${randomUUID()}`;
  let epoch: number | undefined;
  let epochs = 0;
  let heard = 0;
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

  const announce = async (client: Queries): Promise<void> =>
    void (await client.query('select pg_notify($1, $2)', [CHANNEL, applicationName]));

  async function watch(client: Client): Promise<void> {
    let lost = false;
    const onLoss = () => {
      lost = true;
      epoch = undefined;
      wake();
    };
    client.on('error', onLoss);
    client.on('end', onLoss);
    client.on('notification', ({ payload }) => {
      if (payload === applicationName) return;
      heard++;
      epoch = undefined;
      wake();
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await announce(client);
    while (!closed && !lost) {
      const before = heard;
      const { rows } = await client.query<{ others: boolean }>(
        prepared(
          `select exists (select from pg_stat_activity where datname = current_database() and application_name like 'log %' and application_name <> $1) as others`,
          [applicationName],
        ),
      );
      if (heard !== before) continue;
      if (rows[0]?.others) epoch = undefined;
      else epoch ??= ++epochs;
      await sleep(epoch === undefined ? withOthersMs : SOLE_MS);
    }
  }

  async function run(): Promise<void> {
    for (let pause = 50; !closed; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
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
      if (!closed) await sleep(pause);
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
