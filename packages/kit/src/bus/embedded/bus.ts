import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connection } from '@beltway/event-store';
import { PARTITIONS, silent, type Bus, type BusLog, type Subscription } from '../bus.ts';
import { deliveryOf, joinGroup, openFinishes, type Listener, type Row } from './group.ts';
import { openPublisher } from './publisher.ts';
import { openSession, busUnavailable } from './session.ts';
import { openTail } from './tail.ts';

/** Polling is slow on purpose, because each poll costs a statement. */
const POLL_MS = 2_000;
const REPLAY_PAGE = 500;
/** A probe that takes longer counts as unhealthy, in ms. */
const HEALTHY_MS = 1_000;
/** How long `close` waits for members to leave, in ms. */
const GOODBYE_MS = 1_000;

interface EmbeddedBusOptions {
  /** The bus's own database, migrated by `packages/kit/migrations/bus`. */
  url: string;
  log?: BusLog;
  /** Number of connections for publishing and queries. One more connection reads for all groups and tails. */
  poolSize?: number;
  /** Maximum number of partitions of one group that a member handles concurrently. */
  concurrency?: number;
  /**
   * How long to wait for a connection, and then for a response, before the database counts as down, in ms. Default 5 s.
   */
  waitMs?: number;
}

/**
 * The bus as a durable log in PostgreSQL, for one machine. Publishing and queries use a pool; all consumers read
 * through one session. Rejects with `BusUnavailable` if the database does not respond.
 */
export async function openEmbeddedBus(options: EmbeddedBusOptions): Promise<Bus> {
  const { url, log = silent, poolSize = 2, concurrency = 4, waitMs = 5_000 } = options;
  const listeners = new Set<Listener>();
  const taken = new Set<number>();
  const wake = (topic?: string) => {
    for (const listener of listeners) listener.wake(topic);
  };
  const sockets = new Set<Socket>();
  const stream = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  let closing: Promise<void> | undefined;
  const session = await openSession({ url, log, waitMs, stream, wake });
  const finishes = openFinishes(session);
  // Notifications can be lost, so the bus also polls.
  let looking: Promise<void> | undefined;
  const poll = setInterval(() => {
    looking ??= lookForUnread().finally(() => (looking = undefined));
  }, POLL_MS);
  const pool = new pg.Pool({
    connectionString: url,
    stream,
    application_name: 'bus',
    max: poolSize,
    // Idle connections use 3 MB each, so they are closed. Consumers read through the session.
    idleTimeoutMillis: 10_000,
    ...connection(),
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    statement_timeout: waitMs,
  });
  // Without these listeners, a socket error would terminate the process, whether the connection is idle or in use.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => log.debug({ err: error }, 'bus: idle connection lost'));

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], name?: string) {
    try {
      return (await pool.query<Row>(name ? { name, text, values } : { text, values })).rows;
    } catch (cause) {
      throw busUnavailable(cause, 'The bus database does not answer');
    }
  }

  /** Wakes every tail, and the groups that have unread messages. One statement finds these groups. */
  async function lookForUnread(): Promise<void> {
    const groups: string[] = [];
    for (const listener of listeners)
      if (listener.group === undefined) listener.wake();
      else groups.push(listener.group);
    if (groups.length === 0) return;
    try {
      const unread = await session.query<{ topic: string }>(
        `select distinct topic from bus_offsets o join bus_partitions p using (topic, partition)
         where o.group_name = any($1) and p.next_offset > o.next_offset`,
        [groups],
      );
      for (const { topic } of unread) wake(topic);
    } catch (error) {
      // When the session reconnects, it wakes all listeners.
      log.debug({ err: error }, 'bus: cannot look for unread messages');
    }
  }

  async function ensureTopics(topics: string[]): Promise<void> {
    await query(
      `insert into bus_partitions (topic, partition)
       select topic, partition from unnest($1::text[]) topic, generate_series(0, $2::int - 1) partition
       order by topic, partition on conflict do nothing`,
      [topics, PARTITIONS],
    );
  }

  /** Keeps a listener until its subscription is stopped. */
  function keep(listener: Listener): Subscription {
    listeners.add(listener);
    // Reads messages that were published since the listener's first poll.
    listener.wake();
    return {
      async stop() {
        listeners.delete(listener);
        await listener.stop();
      },
    };
  }

  async function close(): Promise<void> {
    clearInterval(poll);
    await Promise.all([...listeners].map((listener) => listener.stop()));
    listeners.clear();
    const goodbye = Promise.all([session.close(), pool.end()]);
    await Promise.race([goodbye, pause(GOODBYE_MS, undefined, { ref: false })]);
    for (const socket of sockets) socket.destroy();
    await goodbye;
  }

  return {
    ensureTopics,

    async topics() {
      const rows = await query<{ topic: string }>('select distinct topic from bus_partitions order by topic');
      return rows.map(({ topic }) => topic);
    },

    publish: openPublisher({ query, session, log }),

    async subscribe(group) {
      await ensureTopics(group.topics);
      return keep(await joinGroup({ session, durable: query, log, concurrency, finishes, taken }, group));
    },

    async tail(topics, hear) {
      await ensureTopics(topics);
      return keep(await openTail({ session, log }, topics, hear));
    },

    async replay(topic, handle, { newest } = {}) {
      const ends = await query<{ partition: number; next_offset: string }>(
        'select partition, next_offset from bus_partitions where topic = $1 order by partition',
        [topic],
      );
      for (const { partition, next_offset } of ends) {
        const end = BigInt(next_offset);
        const skipped = newest === undefined ? 0n : end - BigInt(newest);
        for (let from = skipped > 0n ? skipped : 0n; from < end;) {
          const limit = end - from < REPLAY_PAGE ? Number(end - from) : REPLAY_PAGE;
          const rows = await query<Row>(
            `select "offset", message, traceparent from bus_messages
             where topic = $1 and partition = $2 and "offset" >= $3 order by "offset" limit $4`,
            [topic, partition, String(from), limit],
          );
          if (rows.length === 0) throw new Error(`Topic ${topic}, partition ${partition} has no message ${from}`);
          await handle(rows.map((row) => deliveryOf(topic, partition, row)));
          from += BigInt(rows.length);
        }
      }
    },

    async lag(group, topics) {
      const rows = await query<{ topic: string; behind: string }>(
        `select p.topic, sum(p.next_offset - coalesce(o.next_offset, 0)) as behind
         from bus_partitions p
         left join bus_offsets o on o.group_name = $1 and o.topic = p.topic and o.partition = p.partition
         where p.topic = any($2) group by p.topic`,
        [group, topics],
      );
      const behind = new Map(rows.map((row) => [row.topic, Number(row.behind)]));
      return Object.fromEntries(topics.map((topic) => [topic, behind.get(topic) ?? 0]));
    },

    async healthy() {
      const late = new AbortController();
      const answer = session.query('select 1').then(
        () => true,
        () => false,
      );
      const verdict = await Promise.race([answer, pause(HEALTHY_MS, false, { signal: late.signal, ref: false })]);
      late.abort();
      return verdict;
    },

    close: () => (closing ??= close()),
  };
}
