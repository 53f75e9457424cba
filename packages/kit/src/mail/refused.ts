import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** After this number of days, an email address gets bulk mail again, because it may exist by then. */
const REFUSED_DAYS = 30;

const digestOf = (address: string): Buffer => createHash('sha256').update(`refused\0${address.toLowerCase()}`).digest();

/**
 * Email addresses that a mail server rejected permanently, stored as digests in the service's database
 * (`packages/kit/migrations/jobs`).
 */
export const refusedAddresses = (pool: Pool) => ({
  async has(address: string): Promise<boolean> {
    const { rowCount } = await pool.query(
      `select from refused_addresses where digest = $1 and refused_at > now() - make_interval(days => ${REFUSED_DAYS})`,
      [digestOf(address)],
    );
    return rowCount === 1;
  },
  /** Also deletes old rows. */
  async add(address: string): Promise<void> {
    await pool.query(`delete from refused_addresses where refused_at < now() - make_interval(days => ${REFUSED_DAYS})`);
    await pool.query(
      `insert into refused_addresses (digest) values ($1) on conflict (digest) do update set refused_at = now()`,
      [digestOf(address)],
    );
  },
  async remove(address: string): Promise<void> {
    await pool.query('delete from refused_addresses where digest = $1', [digestOf(address)]);
  },
});
export type RefusedAddresses = ReturnType<typeof refusedAddresses>;
