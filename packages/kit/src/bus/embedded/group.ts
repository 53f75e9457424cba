import { backoff } from '../../backoff.ts';
import { batcher, type Batcher } from '../../batching/batcher.ts';
import { parseMessage, type BusLog, type Delivery, type GroupOptions, type Subscription } from '../bus.ts';
import type { Session } from './session.ts';

/** The first number of this module's advisory locks; the second number is the position's id. */
const LOCKS = 0x6275;
const pauseAfter = backoff(100, 5_000);
/**
 * Limit of a batch in bytes, which the last message may exceed. The limit keeps a slow member's memory small during a
 * long backlog.
 */
const PAGE_BYTES = 256 * 1_024;

interface Position {
  id: number;
  topic: string;
  partition: number;
}

/** A partition whose batch is done, or failed: its lock's connection and, if done, the group's new position. */
interface Finished {
  id: number;
  generation: number;
  moved?: { from: bigint; to: bigint };
}
export type Finishes = Batcher<Finished, void>;

/** Moves positions and unlocks their partitions. Partitions that finish together share the statements. */
export const openFinishes = (session: Session): Finishes =>
  batcher(
    async (finished: Finished[]) => {
      // In one order, so that members that finish the same partitions after a lost connection do not block each other.
      const moves = finished.flatMap(({ id, moved }) => (moved ? { id, ...moved } : [])).sort((a, b) => a.id - b.id);
      // The locks of an earlier connection ended with that connection.
      const locked = finished.filter(({ generation }) => session.generation() === generation).map(({ id }) => id);
      // Compare-and-set, so that a disconnected member cannot move the group backwards.
      const move =
        moves.length > 0 &&
        session.query(
          `update bus_offsets o set next_offset = n.later from unnest($1::int[], $2::bigint[], $3::bigint[]) n (id, now, later)
           where o.id = n.id and o.next_offset = n.now`,
          [moves.map(({ id }) => id), moves.map(({ from }) => String(from)), moves.map(({ to }) => String(to))],
        );
      const unlock =
        locked.length > 0 &&
        session.query('select pg_advisory_unlock($1, id) from unnest($2::int[]) id', [LOCKS, locked]);
      await Promise.all([move, unlock]);
      return finished.map(() => undefined);
    },
    { concurrency: 1, maxConcurrency: 64, maxItems: 64 },
  );

export interface Listener extends Subscription {
  /** The listener's group; undefined for a tail, which keeps its own positions. */
  group?: string;
  wake(topic?: string): void;
}

interface GroupContext {
  session: Session;
  /** Runs a query whose commit survives a crash of the database, unlike the session's commits. */
  durable: Session['query'];
  log: BusLog;
  /** Maximum number of partitions of one group that a member handles concurrently. */
  concurrency: number;
  finishes: Finishes;
  /** Positions in progress in this process, because advisory locks do not exclude their own session. */
  taken: Set<number>;
}

/**
 * A member of a group. It locks a partition with unread messages by advisory lock, handles one batch, moves the group's
 * position and unlocks the partition. No transaction stays open during this time, because it would hold back
 * `pg_snapshot_xmin` for the relays of all services on the server.
 */
export async function joinGroup(
  { session, durable, log, concurrency, finishes, taken }: GroupContext,
  { group, topics, handle, batchSize = 200, gatherMs = 0 }: GroupOptions,
): Promise<Listener> {
  const inHand = new Map<number, Promise<void>>();
  const failures = new Map<number, number>();
  const paused = new Map<number, NodeJS.Timeout>();
  const servedAt = new Map<number, number>();
  let turn = 0;
  let wanted = false;
  let looking: Promise<void> | undefined;
  let stopped = false;
  let gathering: NodeJS.Timeout | undefined;

  await durable(
    `insert into bus_offsets (group_name, topic, partition)
     select $1, topic, partition from bus_partitions p where topic = any($2)
       and not exists (select from bus_offsets o where o.group_name = $1 and o.topic = p.topic and o.partition = p.partition)
     order by topic, partition on conflict do nothing`,
    [group, topics],
  );

  function wake(topic?: string): void {
    if (stopped || (topic !== undefined && !topics.includes(topic))) return;
    wanted = true;
    if (gatherMs === 0) return begin();
    gathering ??= setTimeout(() => {
      gathering = undefined;
      begin();
    }, gatherMs);
  }

  function begin(): void {
    if (stopped) return;
    looking ??= look().finally(() => {
      looking = undefined;
      if (wanted && inHand.size < concurrency) wake();
    });
  }

  async function look(): Promise<void> {
    try {
      while (wanted && !stopped && inHand.size < concurrency) {
        wanted = false;
        // Other members may have locked the first partitions, so all are tried until enough are in hand. Another member
        // in this process may take a partition during a query, and advisory locks do not exclude their own session.
        for (let free = await unread(); free.length > 0 && !stopped && inHand.size < concurrency;) {
          free = free.filter(({ id }) => !taken.has(id) && !paused.has(id));
          await take(free.splice(0, concurrency - inHand.size));
        }
      }
    } catch (error) {
      // The session wakes this member when it reconnects; the slow poll wakes it too.
      wanted = false;
      log.debug({ err: error, group }, 'bus: cannot look for messages');
    }
  }

  /**
   * The partitions with unread messages. The least recently served partition is first, so that a busy partition does
   * not starve the other partitions.
   */
  async function unread(): Promise<Position[]> {
    const rows = await session.query<Position>(
      `select o.id, o.topic, o.partition from bus_offsets o join bus_partitions p using (topic, partition)
       where o.group_name = $1 and o.topic = any($2) and p.next_offset > o.next_offset`,
      [group, topics],
    );
    return rows.sort((a, b) => (servedAt.get(a.id) ?? 0) - (servedAt.get(b.id) ?? 0));
  }

  /** Locks these partitions, except those that another member has locked, and begins to handle them. */
  async function take(positions: Position[]): Promise<void> {
    if (positions.length === 0) return;
    for (const { id } of positions) taken.add(id);
    const generation = session.generation();
    let locked: Position[] = [];
    try {
      const rows = await session.query<{ id: number; locked: boolean }>(
        'select id, pg_try_advisory_lock($1, id) as locked from unnest($2::int[]) id',
        [LOCKS, positions.map(({ id }) => id)],
      );
      const ids = new Set(rows.filter(({ locked }) => locked).map(({ id }) => id));
      locked = positions.filter(({ id }) => ids.has(id));
    } finally {
      for (const position of positions) if (!locked.includes(position)) taken.delete(position.id);
    }
    if (locked.length === 0) return;
    const batches = readOn(locked);
    for (const position of locked) {
      servedAt.set(position.id, ++turn);
      const batch = batches.then((all) => all.get(position.id)!);
      inHand.set(position.id, work(position, batch, generation));
    }
  }

  async function work(
    { id, topic, partition }: Position,
    read: Promise<Delivery[]>,
    generation: number,
  ): Promise<void> {
    let isFinished = false;
    try {
      const batch = await read;
      const [first, last] = [batch[0], batch.at(-1)];
      if (first && last) {
        await handle(batch);
        isFinished = true;
        await finishes.add({ id, generation, moved: { from: first.offset, to: last.offset + 1n } });
      }
      failures.delete(id);
    } catch (error) {
      pause(id);
      log.warn({ err: error, group, topic, partition, failures: failures.get(id) }, 'bus: a batch was not committed');
    } finally {
      if (!isFinished) await finishes.add({ id, generation }).catch(() => {});
      inHand.delete(id);
      taken.delete(id);
      wake();
    }
  }

  /** Reads the positions only under their locks, because the previous lock holders may have moved them. */
  async function readOn(positions: Position[]): Promise<Map<number, Delivery[]>> {
    const rows = await session.query<Row & { id: number }>(
      `select o.id, sized."offset", sized.message, sized.traceparent from bus_offsets o cross join lateral (
         select *, sum(octet_length(message)) over (order by "offset") - octet_length(message) as before
         from (
           select "offset", message, traceparent from bus_messages m
           where m.topic = o.topic and m.partition = o.partition and "offset" >= o.next_offset
           order by "offset" limit $2
         ) page
       ) sized where o.id = any($1) and before < $3 order by o.id, sized."offset"`,
      [positions.map(({ id }) => id), batchSize, PAGE_BYTES],
    );
    const found = Map.groupBy(rows, ({ id }) => id);
    return new Map(
      positions.map(({ id, topic, partition }) => [
        id,
        (found.get(id) ?? []).map((row) => deliveryOf(topic, partition, row)),
      ]),
    );
  }

  function pause(id: number): void {
    if (stopped) return;
    const count = (failures.get(id) ?? 0) + 1;
    failures.set(id, count);
    const timer = setTimeout(() => {
      paused.delete(id);
      wake();
    }, pauseAfter(count));
    paused.set(id, timer);
  }

  wake();
  return {
    group,
    wake,
    async stop() {
      stopped = true;
      clearTimeout(gathering);
      for (const timer of paused.values()) clearTimeout(timer);
      await looking;
      await Promise.all(inHand.values());
    },
  };
}

export interface Row {
  offset: string;
  message: string;
  traceparent: string | null;
}

export const deliveryOf = (topic: string, partition: number, { offset, message, traceparent }: Row): Delivery => ({
  topic,
  partition,
  offset: BigInt(offset),
  message: parseMessage(message),
  ...(traceparent !== null && { traceparent }),
});
