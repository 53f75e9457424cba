import type { Pool } from 'pg';
import { z } from 'zod';
import type { Bus, BusLog } from './bus.ts';
import { untilItAnswers } from './open.ts';

const Keyed = z.object({ key: z.string() });

/** As in `versionsAhead`: if parts of the log are missing, the newest messages show the loss. */
const NEWEST = 500;

interface Options {
  bus: Bus;
  pool: Pick<Pool, 'query'>;
  log: BusLog;
  /** The service's own topic. */
  topic: string;
  /** Category of the numbered streams: `event` for `event-7`. The key of a message is its stream. */
  category: string;
  /** The sequence that assigns the streams' numbers. */
  sequence: string;
}

/**
 * Runs before a service assigns numbers, so that the service never reuses a published number. If its database is an
 * older copy, the sequence continues after the greatest number on the service's topic, and an error is logged. Waits
 * while the bus is down.
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
  // Read after the topic, so that `known` includes numbers that other instances assigned and published in the meantime.
  const known = await lastNumber(pool, sequence);
  if (newest <= known) return;
  const greatest = await greatestSaid();
  // The sequence never moves back, even if another instance runs this statement concurrently.
  await pool.query('select count(nextval($1::regclass)) from generate_series($2::int + 1, $3::int)', [
    sequence,
    known,
    greatest,
  ]);
  log.error(
    { topic, known, said: greatest },
    `the log is behind its topic: lost events stay lost, and numbers up to ${greatest} are not reused (docs/operations/backup.md#services-of-different-moments)`,
  );
}

async function lastNumber(pool: Pick<Pool, 'query'>, sequence: string): Promise<number> {
  const { rows } = await pool.query<{ last: number }>(
    `select coalesce(pg_sequence_last_value($1::regclass), 0)::int as last`,
    [sequence],
  );
  return rows[0]!.last;
}
