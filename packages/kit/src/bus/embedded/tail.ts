import { parseMessage, type BusLog } from '../bus.ts';
import type { Listener } from './group.ts';
import type { Session } from './session.ts';

const PAGE = 200;

interface Place {
  topic: string;
  partition: number;
  next: bigint;
}

/**
 * Opens a tail, which keeps its position in every partition. So an interruption delays messages but loses no message.
 */
export async function openTail(
  { session, log }: { session: Session; log: BusLog },
  topics: string[],
  hear: (message: unknown) => void,
): Promise<Listener> {
  const start = await session.query<{ topic: string; partition: number; next_offset: string }>(
    'select topic, partition, next_offset from bus_partitions where topic = any($1)',
    [topics],
  );
  const places = new Map<string, Place>(
    start.map(({ topic, partition, next_offset }) => [
      `${topic} ${partition}`,
      { topic, partition, next: BigInt(next_offset) },
    ]),
  );
  let wanted = false;
  let reading: Promise<void> | undefined;
  let stopped = false;

  function wake(topic?: string): void {
    if (stopped || (topic !== undefined && !topics.includes(topic))) return;
    wanted = true;
    reading ??= readOn().finally(() => {
      reading = undefined;
      if (wanted) wake();
    });
  }

  async function readOn(): Promise<void> {
    try {
      while (wanted && !stopped) {
        wanted = false;
        if (await readPage()) wanted = true;
      }
    } catch (error) {
      wanted = false;
      log.debug({ err: error, topics }, 'bus: the tail cannot read');
    }
  }

  /** Returns true if there may be more messages. */
  async function readPage(): Promise<boolean> {
    const at = [...places.values()];
    const rows = await session.query<{ topic: string; partition: number; offset: string; message: string }>(
      `select m.topic, m.partition, m."offset", m.message
       from unnest($1::text[], $2::int[], $3::bigint[]) place (topic, partition, next)
       join bus_partitions p on p.topic = place.topic and p.partition = place.partition and p.next_offset > place.next
       cross join lateral (
         select * from bus_messages m
         where m.topic = place.topic and m.partition = place.partition and m."offset" >= place.next
         order by m."offset" limit ${PAGE}) m`,
      [at.map(({ topic }) => topic), at.map(({ partition }) => partition), at.map(({ next }) => String(next))],
    );
    for (const row of rows) {
      if (stopped) return false;
      const place = places.get(`${row.topic} ${row.partition}`);
      if (place) place.next = BigInt(row.offset) + 1n;
      try {
        hear(parseMessage(row.message));
      } catch (error) {
        log.error({ err: error, topic: row.topic, offset: row.offset }, 'bus: a listener failed');
      }
    }
    return rows.length >= PAGE;
  }

  return {
    wake,
    async stop() {
      stopped = true;
      await reading;
    },
  };
}
