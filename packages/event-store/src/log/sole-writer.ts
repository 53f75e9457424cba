import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { connection } from '../pg/connection.ts';
import { prepared } from '../pg/prepared.ts';
import type { Queries } from '../types.ts';

/** Knows whether another process can append to this log: only then can a cached state be stale. */
export interface SoleWriter {
  /** The application name of every connection that appends: the other processes see this one as long as one of them is open. */
  applicationName: string;
  /** For each new connection that appends, before its first append: tells the other processes that their cached states may become stale. */
  announce(client: Queries): Promise<void>;
  /** A number while no other process can append, another one after some process could. Undefined while there are others, or while it is unknown. */
  epoch(): number | undefined;
  close(): Promise<void>;
}

const CHANNEL = 'log_peers';
const WITH_OTHERS_MS = 1_000;
const SOLE_MS = 5_000;
const LONGEST_PAUSE_MS = 2_000;

/** A process that starts announces itself, and all others look at the list of sessions again; one that ends is missed at the next look. */
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
        ...connection('-c synchronous_commit=off'), // a notice need not wait for the disk
      });
      await watch(client).catch(() => undefined); // unknown is safe: streams then read the log before they refuse a command
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
