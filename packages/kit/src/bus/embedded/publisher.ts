import { textOf, type Bus, type BusLog } from '../bus.ts';
import type { Session } from './session.ts';
import { partitionOf } from '../partition.ts';

/**
 * One statement assigns the offsets and writes the messages while it locks the rows of the partitions. So offsets have
 * no gaps and become visible in order. The rows are locked in order, so publishers cannot deadlock.
 */
const publish = (traced: boolean): string => `
  with locked as (
    select partition, next_offset from bus_partitions where topic = $1 and partition = any($2::int[])
    order by partition for update
  ), moved as (
    update bus_partitions p set next_offset = p.next_offset + n.count
    from locked join unnest($2::int[], $3::int[]) n (partition, count) on n.partition = locked.partition
    where p.topic = $1 and p.partition = locked.partition
    returning p.partition, p.next_offset - n.count as first
  ), written as (
    insert into bus_messages (topic, partition, "offset", key, message${traced ? ', traceparent' : ''})
    select $1, m.partition, moved.first + m.place, m.key, m.message${traced ? ', m.traceparent' : ''}
    from unnest($4::int[], $5::int[], $6::text[], $7::text[]${traced ? ', $8::text[]' : ''}) m (partition, place, key, message${traced ? ', traceparent' : ''})
    join moved on moved.partition = m.partition
    returning 1
  )
  select count(*)::int as count from written`;
const PUBLISH = publish(false);
/** The statement for messages with a `traceparent`. */
const PUBLISH_TRACED = publish(true);

interface PublisherContext {
  query<Row extends object>(text: string, values: unknown[], name?: string): Promise<Row[]>;
  session: Session;
  log: BusLog;
}

export function openPublisher({ query, session, log }: PublisherContext): Bus['publish'] {
  const unannounced = new Set<string>();
  let announcing = false;

  /**
   * Wakes the readers after the commit, in a separate transaction. PostgreSQL serializes the commits of all notifying
   * transactions of the server, so publishing transactions that notify would all wait for the disk. The session's
   * commits do not wait for the disk.
   */
  async function announce(topic: string): Promise<void> {
    unannounced.add(topic);
    if (announcing) return;
    announcing = true;
    while (unannounced.size > 0) {
      const topics = [...unannounced];
      unannounced.clear();
      const sent = session.query(`select pg_notify('bus', topic) from unnest($1::text[]) topic`, [topics]);
      await sent.catch((error: unknown) => log.debug({ err: error }, 'bus: readers were not woken'));
    }
    announcing = false;
  }

  return async (topic, messages) => {
    if (messages.length === 0) return;
    const counts = new Map<number, number>();
    const rows = messages.map((message) => {
      const partition = partitionOf(message.key);
      const place = counts.get(partition) ?? 0;
      counts.set(partition, place + 1);
      return { partition, place, key: message.key, text: textOf(topic, message), traceparent: message.traceparent };
    });
    const isTraced = rows.some(({ traceparent }) => traceparent !== undefined);
    const [written] = await query<{ count: number }>(
      isTraced ? PUBLISH_TRACED : PUBLISH,
      [
        topic,
        [...counts.keys()],
        [...counts.values()],
        rows.map(({ partition }) => partition),
        rows.map(({ place }) => place),
        rows.map(({ key }) => key),
        rows.map(({ text }) => text),
        ...(isTraced ? [rows.map(({ traceparent }) => traceparent ?? null)] : []),
      ],
      isTraced ? 'publish-traced' : 'publish',
    );
    if (written?.count !== messages.length)
      throw new Error(`The bus has no topic ${topic}: ensureTopics was not called`);
    void announce(topic);
  };
}
