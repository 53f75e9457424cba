import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';

/** Left out besides: who registered after what the others know of, and numbers that are being given in this moment. */
const MARGIN = 1_000;

/**
 * Goes on with numbers of accounts behind those that another service knows. They are ahead when this database came back from an older
 * backup: orders and events of people that were lost would belong to who is given their number.
 */
export async function giveNoNumberUpTo({ pool, log }: { pool: Pool; log: Logger }, highest: number): Promise<void> {
  const { rowCount } = await pool.query(
    `select setval('user_ids', $2) where (select case when is_called then last_value else 0 end from user_ids) < $1::integer`,
    [highest, highest + MARGIN],
  );
  if (rowCount)
    log.warn({ highest }, 'another service knows accounts that are lost here; their numbers are not given again');
}
