import { backoff } from '../../backoff.ts';
import { parseMessage, type BusLog, type Delivery, type GroupOptions, type Subscription } from '../bus.ts';
import type { Session } from './session.ts';

/** Our half of the two-number advisory locks; the other half is the id of the position. */
const LOCKS = 0x6275;
const pauseAfter = backoff(100, 5_000);
/** A batch ends with the message that goes beyond: who is slow holds little of a long backlog. */
const PAGE_BYTES = 256 * 1_024;

interface Position {
  id: number;
  topic: string;
  partition: number;
}

type Unlock = () => Promise<void>;

export interface Listener extends Subscription {
  /** The group that it is a member of; undefined for a tail, which keeps its own positions. */
  group?: string;
  wake(topic?: string): void;
}

interface GroupContext {
  session: Session;
  /** Outlives a crash of the database, which what the session writes may not. */
  durable: Session['query'];
  log: BusLog;
  /** Partitions of one group handled at the same time by one member. */
  concurrency: number;
  /** Positions this process works on. Advisory locks do not hold off their own session. */
  taken: Set<number>;
}

/**
 * A member of a group. It takes a partition with unread messages by its advisory lock, handles one batch, moves the
 * group's position, gives the partition back. No transaction stays open meanwhile: an open one would hold back
 * `pg_snapshot_xmin` for the relays of all services on the same server.
 */
export async function joinGroup(
  { session, durable, log, concurrency, taken }: GroupContext,
  { group, topics, handle, batchSize = 200 }: GroupOptions,
): Promise<Listener> {
  const inHand = new Map<number, Promise<void>>();
  const failures = new Map<number, number>();
  const paused = new Map<number, NodeJS.Timeout>();
  const servedAt = new Map<number, number>();
  let turn = 0;
  let wanted = false;
  let looking: Promise<void> | undefined;
  let stopped = false;

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
    looking ??= look().finally(() => {
      looking = undefined;
      if (wanted && inHand.size < concurrency) wake();
    });
  }

  async function look(): Promise<void> {
    try {
      while (wanted && !stopped && inHand.size < concurrency) {
        wanted = false;
        for (const position of await unread()) {
          if (stopped || inHand.size >= concurrency) break;
          if (taken.has(position.id) || paused.has(position.id)) continue;
          await take(position);
        }
      }
    } catch (error) {
      // The session wakes us when it is connected again, and the slow poll in any case.
      wanted = false;
      log.debug({ err: error, group }, 'bus: cannot look for messages');
    }
  }

  /** Least recently served first, so that no busy partition starves another. */
  async function unread(): Promise<Position[]> {
    const rows = await session.query<Position>(
      `select o.id, o.topic, o.partition from bus_offsets o join bus_partitions p using (topic, partition)
       where o.group_name = $1 and o.topic = any($2) and p.next_offset > o.next_offset`,
      [group, topics],
    );
    return rows.sort((a, b) => (servedAt.get(a.id) ?? 0) - (servedAt.get(b.id) ?? 0));
  }

  async function take(position: Position): Promise<void> {
    const { id } = position;
    taken.add(id);
    let unlock: Unlock | undefined;
    try {
      unlock = await lock(id);
      if (!unlock) return;
      servedAt.set(id, ++turn);
      inHand.set(id, work(position, unlock));
    } finally {
      if (!unlock) taken.delete(id);
    }
  }

  /** Gives what unlocks it again; nothing when another member has it. */
  async function lock(id: number): Promise<Unlock | undefined> {
    const generation = session.generation();
    const [row] = await session.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [
      LOCKS,
      id,
    ]);
    if (!row?.locked) return undefined;
    return async () => {
      // A lock of an earlier connection went with it.
      if (session.generation() === generation) await session.query('select pg_advisory_unlock($1, $2)', [LOCKS, id]);
    };
  }

  async function work({ id, topic, partition }: Position, unlock: Unlock): Promise<void> {
    let unlocked = false;
    try {
      const batch = await readOn(id, topic, partition);
      const [first, last] = [batch[0], batch.at(-1)];
      if (first && last) {
        await handle(batch);
        unlocked = true;
        await Promise.all([move(id, first.offset, last.offset + 1n), unlock()]);
      }
      failures.delete(id);
    } catch (error) {
      pause(id);
      log.warn({ err: error, group, topic, partition, failures: failures.get(id) }, 'bus: a batch was not committed');
    } finally {
      if (!unlocked) await unlock().catch(() => {});
      inHand.delete(id);
      taken.delete(id);
      wake();
    }
  }

  /** The position is read only now: before the lock was ours, the member that had it may have moved on. */
  async function readOn(id: number, topic: string, partition: number): Promise<Delivery[]> {
    const rows = await session.query<Row>(
      `select "offset", message, traceparent from (
         select *, sum(octet_length(message)) over (order by "offset") - octet_length(message) as before
         from (
           select "offset", message, traceparent from bus_messages
           where topic = $1 and partition = $2 and "offset" >= (select next_offset from bus_offsets where id = $3)
           order by "offset" limit $4
         ) page
       ) sized where before < $5 order by "offset"`,
      [topic, partition, id, batchSize, PAGE_BYTES],
    );
    return rows.map((row) => deliveryOf(topic, partition, row));
  }

  /** Compared, so that a member that was cut off cannot move the group backwards. */
  const move = (id: number, from: bigint, to: bigint): Promise<unknown> =>
    session.query('update bus_offsets set next_offset = $3 where id = $1 and next_offset = $2', [
      id,
      String(from),
      String(to),
    ]);

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
