import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** Then an address gets bulk mail again, in case it exists by then. */
const REFUSED_DAYS = 30;

const digestOf = (address: string): Buffer => createHash('sha256').update(`refused\0${address.toLowerCase()}`).digest();

/** The addresses that a mail server refused permanently, by digest, in the service's database (`packages/kit/migrations/jobs`). */
export const refusedAddresses = (pool: Pool) => ({
  async has(address: string): Promise<boolean> {
    const { rowCount } = await pool.query(
      `select from refused_addresses where digest = $1 and refused_at > now() - make_interval(days => ${REFUSED_DAYS})`,
      [digestOf(address)],
    );
    return rowCount === 1;
  },
  /** Deletes old rows, too. */
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
