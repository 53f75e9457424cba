import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { connection } from './connection.ts';
import type { Queries } from './types.ts';

/** Whether other processes append to this log: only then can what is remembered of a stream be old. */
export interface Peers {
  /** Every connection that appends carries it, so that the others see this process for as long as one of them lives. */
  applicationName: string;
  /** For each connection that appends, before its first append: tells the others, whose cached states may be old from then on. */
  announce(client: Queries): Promise<void>;
  /** A number while no other process can append, and a new one after somebody could; undefined while there are others, or nobody knows. */
  alone(): number | undefined;
  close(): Promise<void>;
}

const CHANNEL = 'log_peers';
const WITH_OTHERS_MS = 1_000;
const ALONE_MS = 5_000;
const LONGEST_PAUSE_MS = 2_000;

/** Who comes says so, and all others look again; who goes is missed at the next look. */
export function watchPeers(url: string, withOthersMs = WITH_OTHERS_MS): Peers {
  const applicationName = `log ${randomUUID()}`;
  let era: number | undefined;
  let eras = 0;
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
      era = undefined;
      wake();
    };
    client.on('error', onLoss);
    client.on('end', onLoss);
    client.on('notification', ({ payload }) => {
      if (payload === applicationName) return;
      heard++;
      era = undefined;
      wake();
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await announce(client);
    while (!closed && !lost) {
      const before = heard;
      const { rows } = await client.query<{ others: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database() and application_name like 'log %' and application_name <> $1) as others`,
        [applicationName],
      );
      if (heard !== before) continue;
      if (rows[0]?.others) era = undefined;
      else era ??= ++eras;
      await sleep(era === undefined ? withOthersMs : ALONE_MS);
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
      await watch(client).catch(() => undefined); // not knowing is safe: streams then look before they refuse
      era = undefined;
      await client.end().catch(() => undefined);
      if (!closed) await sleep(pause);
    }
  }

  const running = run();
  return {
    applicationName,
    announce,
    alone: () => era,
    close: async () => {
      closed = true;
      wake();
      await running;
    },
  };
}
