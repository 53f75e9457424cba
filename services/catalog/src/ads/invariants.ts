import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import type { Pool } from 'pg';

/**
 * Finds ads in the log without a row, rows without an ad in the log, and payments with several ads. Plain SQL, because
 * the events table belongs to the event store.
 */
const NOT_ONE = `
  select coalesce(e.stream, 'ad-' || a.ad_id) as id from (select stream, data from events where type = 'AdBought') e
    full join ads a on e.stream = 'ad-' || a.ad_id
    where e.stream is null or a.ad_id is null or a.payment_id <> e.data ->> 'paymentId'
  union all select min(stream) from events where type = 'AdBought' group by data ->> 'paymentId' having count(*) > 1`;

const BEYOND = `select a.ad_id as id from ads a join ad_counts c using (ad_id) where c.impressions > a.max_impressions`;

async function check(pool: Pool, name: string, violating: string): Promise<InvariantCheck> {
  const { rows } = await pool.query<{ violations: string; examples: string[] | null }>(
    `with v as (${violating}) select count(*) as violations,
      (select array_agg(id::text) from (select id from v limit 10) ten) as examples from v`,
  );
  const violations = Number(rows[0]?.violations ?? 0);
  return { name, ok: violations === 0, violations, examples: rows[0]?.examples ?? [] };
}

/**
 * The ad checks of docs/architecture.md#invariants. The service payments checks that each payment has an ad, because
 * only `ad-ready` fulfills the payment.
 */
export const adInvariants = (pool: Pool): Promise<InvariantCheck[]> =>
  Promise.all([
    check(pool, 'each ad that was paid is there once, as its log says', NOT_ONE),
    check(pool, 'no ad was counted more often than was bought', BEYOND),
  ]);
