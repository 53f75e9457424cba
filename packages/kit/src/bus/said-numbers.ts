import type { Pool } from 'pg';
import { z } from 'zod';
import type { Bus, BusLog } from './bus.ts';
import { untilItAnswers } from './open.ts';

const Keyed = z.object({ key: z.string() });

/** As in `versionsAhead`: where anything of the log is missing, it shows in the newest messages. */
const NEWEST = 500;

interface Options {
  bus: Bus;
  pool: Pick<Pool, 'query'>;
  log: BusLog;
  /** The service's own. */
  topic: string;
  /** Of the streams that are numbered, which are the keys of their messages: `event` for `event-7`. */
  category: string;
  /** The sequence that gives out their numbers. */
  sequence: string;
}

/**
 * Before a service gives out a number: it never gives out one that others have heard of. Where its database is a copy of an earlier moment the
 * sequence goes on after the greatest number on its topic, and the log says that the service is behind. Waits while the bus is away.
 */
export async function skipSaidNumbers({ bus, pool, log, topic, category, sequence }: Options): Promise<void> {
  const pattern = new RegExp(`^${category}-([1-9]\\d{0,8})$`);
  const greatestSaid = (options?: { newest: number }) =>
    untilItAnswers(log, async () => {
      let greatest = 0;
      const see = (message: unknown) => {
        const number = pattern.exec(Keyed.safeParse(message).data?.key ?? '')?.[1];
        if (number !== undefined) greatest = Math.max(greatest, Number(number));
      };
      await bus.replay(topic, async (batch) => batch.forEach(({ message }) => see(message)), options);
      return greatest;
    });
  const newest = await greatestSaid({ newest: NEWEST });
  // After the topic: what other instances have given out and told of meanwhile is counted.
  const known = await lastNumber(pool, sequence);
  if (newest <= known) return;
  const greatest = await greatestSaid();
  // Never back, also while another instance does the same.
  await pool.query('select count(nextval($1::regclass)) from generate_series($2::int + 1, $3::int)', [
    sequence,
    known,
    greatest,
  ]);
  log.error(
    { topic, known, said: greatest },
    `the log is behind what was said on the bus: what it lost stays lost, and its numbers up to ${greatest} are not given out again (docs/operations/backup.md#services-of-different-moments)`,
  );
}

async function lastNumber(pool: Pick<Pool, 'query'>, sequence: string): Promise<number> {
  const { rows } = await pool.query<{ last: number }>(
    `select coalesce(pg_sequence_last_value($1::regclass), 0)::int as last`,
    [sequence],
  );
  return rows[0]!.last;
}
