import type { Pool } from 'pg';
import type { InvariantCheck } from '@beltway/contracts/ops';

const GRACE_SECONDS = 60;

/** Money taken more than a minute ago, no tickets heard of, and no refund done, under way or asked for. */
const NOTHING_GIVEN = `
  select p.id from payments p left join refunds r using (id)
  where p.status = 'succeeded' and p.fulfilled_at is null and r.id is null and p.succeeded_at < now() - make_interval(secs => ${GRACE_SECONDS})`;

/**
 * Tickets and money back. Legitimate only when ticketing undid an order that had its tickets (the event was cancelled): then the
 * refund was asked for after the fulfilment, for another reason than `too-late`. Both messages have one key, so they come in
 * the order in which ticketing decided them.
 */
const GIVEN_TWICE = `
  select p.id from payments p join refunds r using (id)
  where p.fulfilled_at is not null and not (r.after_fulfilment and r.reason <> 'too-late')`;

const UNBALANCED = `select payment_id as id from ledger_entries group by payment_id, event having sum(amount_cents) <> 0`;

/** What the provider holds of a payment, by the ledger, is what the payment says. */
const LEDGER_DISAGREES = `
  select p.id from payments p left join (
    select payment_id, sum(amount_cents) as cents from ledger_entries where account = 'provider' group by payment_id
  ) l on l.payment_id = p.id
  where coalesce(l.cents, 0) <> case when p.status = 'succeeded' then p.amount else 0 end`;

async function check(pool: Pool, name: string, violating: string): Promise<InvariantCheck> {
  const { rows } = await pool.query<{ violations: string; examples: string[] | null }>(
    `with v as (${violating}) select count(*) as violations, (select array_agg(id::text) from (select id from v limit 10) ten) as examples from v`,
  );
  const violations = Number(rows[0]?.violations ?? 0);
  return { name, ok: violations === 0, violations, examples: rows[0]?.examples ?? [] };
}

/** Design section 4: nobody pays for nothing, nobody gets both, no cent is lost. */
export const invariants = (pool: Pool): Promise<InvariantCheck[]> =>
  Promise.all([
    check(pool, 'a payment that succeeded is fulfilled or refunded', NOTHING_GIVEN),
    check(pool, 'no payment is both fulfilled and refunded', GIVEN_TWICE),
    check(pool, 'the money ledger sums to zero', UNBALANCED),
    check(pool, 'the money ledger agrees with the payments', LEDGER_DISAGREES),
  ]);
