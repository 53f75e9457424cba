import type { Pool } from 'pg';
import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import { noJobGivenUp } from '@beltway/kit/given-up';
import { anyOf } from '@beltway/kit/kysely';
import { sql, type RawBuilder } from 'kysely';
import { kysely } from './db.ts';
import { HttpProblem } from '@beltway/kit/problems';
import { fromMetadata } from './provider/metadata.ts';
import { updateFromEvent } from './provider/updates.ts';
import type { Provider } from './provider/provider.ts';
import { REVENUE_FOLLOWER } from './revenue/follow.ts';

const GRACE_SECONDS = 60;

/**
 * Payments made more than a minute ago that were neither fulfilled nor refunded. A requested refund counts as a refund.
 */
const NOTHING_GIVEN = sql`
  select p.id from payments p left join refunds r using (id)
  where p.status = 'succeeded' and p.fulfilled_at is null and r.id is null and p.succeeded_at < now() - make_interval(secs => ${GRACE_SECONDS})`;

/**
 * Payments that were both fulfilled and refunded without a valid cause. A valid cause: ticketing returned an order that
 * had its tickets, because the event was canceled. The refund was then requested after the fulfillment, with a reason
 * other than `too-late`. The fulfillment message and the refund message have the same key, so they arrive in the order
 * in which ticketing decided. After a refund made at the provider, ticketing has a minute to report that the tickets
 * are returned. After a lost dispute, the tickets stay void while the bank has the money. Promotions, live streams and
 * ads end when their payment is returned (`payments.promotion-refunded`, `payments.ad-refunded`).
 */
const GIVEN_TWICE = sql`
  select p.id from payments p join refunds r using (id)
  where p.fulfilled_at is not null and r.reason <> 'dispute-lost' and not (r.after_fulfillment and r.reason <> 'too-late')
    and not (r.reason = 'made-at-provider' and (p.purpose <> 'tickets' or r.requested_at > now() - make_interval(secs => ${GRACE_SECONDS})))`;

const UNBALANCED = sql`select payment_id as id from ledger_entries group by payment_id, event having sum(amount_cents) <> 0`;

/** Payments whose balance at the provider, according to the ledger, differs from the payment's row. */
const LEDGER_DISAGREES = sql`
  select p.id from payments p left join (
    select payment_id, sum(amount_cents) as cents from ledger_entries where account = 'provider' group by payment_id
  ) l on l.payment_id = p.id
  where coalesce(l.cents, 0) <> case when p.status in ('succeeded', 'refunded') then p.amount - p.returned_cents else 0 end`;

/**
 * Payments for which the amounts that the organizer is owed and has received differ between row and ledger. The workers
 * read the rows.
 */
const SHARES_DISAGREE = sql`
  select p.id from payments p left join (
    select payment_id, sum(amount_cents) filter (where account like 'organizer:%') as owed,
      sum(amount_cents) filter (where account = 'provider:transfers') as moved
    from ledger_entries group by payment_id
  ) l on l.payment_id = p.id
  where p.owed_cents <> -coalesce(l.owed, 0) or p.transferred_cents <> -coalesce(l.moved, 0)`;

/** A violation if the daily sums differ from the payments. Checked only after the follower has summed the whole log. */
const DAYS_DISAGREE = sql`
  select 'all days' as id from (select tx, position from events order by tx desc, position desc limit 1) log_end
    join checkpoints c on c.name = ${REVENUE_FOLLOWER} and (c.tx, c.position) >= (log_end.tx, log_end.position)
  where (select coalesce(sum(cents), 0) from revenue_days)
    <> (select coalesce(sum(amount - returned_cents), 0) from payments where status in ('succeeded', 'refunded'))`;

async function check(pool: Pool, name: string, violating: RawBuilder<unknown>): Promise<InvariantCheck> {
  const { rows } = await sql<{ violations: string; examples: string[] | null }>`with v as (${violating})
    select count(*) as violations, (select array_agg(id::text) from (select id from v limit 10) ten) as examples from v`.execute(
    kysely(pool),
  );
  const violations = Number(rows[0]?.violations ?? 0);
  return { name, ok: violations === 0, violations, examples: rows[0]?.examples ?? [] };
}

const DISPUTES_CLOSED = ['charge.dispute.closed', 'charge.dispute.funds_reinstated'];

const PROVIDER_AGREES = 'the provider holds of each payment what the ledger says';
/** Changes younger than this are not checked, because the provider's reports may take a few minutes to arrive. */
const SETTLED_MS = 600_000;
const LOOKED_AT_MS = 24 * 3_600_000;
const MAX_CHARGES = 500;

/**
 * Compares the provider's charges and refunds of one day, at most `MAX_CHARGES` charges, with our ledger. Skips
 * payments with a refund in progress, because a refund changes the provider's records and our ledger at different
 * times. Money taken by a dispute is not a refund at the provider; `disputesAgree` checks that money.
 */
async function providerAgrees(pool: Pool, provider: Provider, settledMs: number): Promise<InvariantCheck> {
  const from = new Date(Date.now() - LOOKED_AT_MS);
  const to = new Date(Date.now() - settledMs);
  return askedOf(PROVIDER_AGREES, async () => {
    const { charges, isComplete } = await provider.charges(from, to, MAX_CHARGES);
    const held = new Map<string, { id: string; cents: number }>();
    for (const { payment_intent: intent, metadata, amount, amount_captured, amount_refunded } of charges) {
      const terms = intent ? fromMetadata(metadata, intent, amount) : null;
      if (!terms) continue; // another product on the same account
      held.set(terms.paymentId, {
        id: terms.id,
        cents: (amount_captured ?? amount) - (amount_refunded ?? 0),
      });
    }
    const { rows } = await sql<{ id: string; intent: string; cents: number; moving: boolean }>`
      select p.id, p.stripe_payment_intent_id as intent, coalesce(r.status = 'due', false)
          or exists (select from part_refunds pr where pr.payment_id = p.id and pr.status = 'due') as moving,
        coalesce((select sum(l.amount_cents) from ledger_entries l
          where l.payment_id = p.id and l.account = 'provider' and l.event not like 'Dispute%'), 0)::int as cents
      from payments p left join refunds r using (id)
      where p.stripe_payment_intent_id = ${anyOf([...held.keys()])}
        or (${isComplete} and p.status in ('succeeded', 'refunded') and p.created_at >= ${from} and p.succeeded_at <= ${to})`.execute(
      kysely(pool),
    );
    const ours = new Map(rows.map((row) => [row.intent, row]));
    return [
      ...[...held].filter(([intent, { cents }]) => {
        const row = ours.get(intent);
        return !row?.moving && row?.cents !== cents;
      }),
      // Payments in our books that the provider does not know.
      ...rows
        .filter(({ intent, moving }) => !moving && !held.has(intent))
        .map(({ id, intent }) => [intent, { id }] as const),
    ].map(([, { id }]) => id);
  });
}

const SHARES_AGREE = 'organizers’ accounts have at the provider what the ledger says';
const MAX_SHARES = 20;

/** Shares that are still due back from organizers, and shares that moved between `from` and `to`. */
const sharesLookedAt = (from: Date, to: Date) => sql<{ id: string; paymentId: string; cents: number }>`
  (select id, stripe_payment_intent_id as "paymentId", transferred_cents as cents from payments
    where owed_cents < 0 order by succeeded_at limit ${MAX_SHARES / 2})
  union
  (select p.id, p.stripe_payment_intent_id, p.transferred_cents from payments p join (
      select payment_id, max(occurred_at) as moved_at from ledger_entries
      where account = 'provider:transfers' and occurred_at > ${from} group by payment_id
    ) l on l.payment_id = p.id
    where moved_at <= ${to} order by moved_at desc limit ${MAX_SHARES / 2})`;

/**
 * Compares the organizer's share of each payment at the provider, after transfers, reversals and returned fees, with
 * our ledger.
 */
async function sharesAgree(pool: Pool, provider: Provider, settledMs: number): Promise<InvariantCheck> {
  const settled = new Date(Date.now() - settledMs);
  const { rows } = await sharesLookedAt(new Date(Date.now() - LOOKED_AT_MS), settled).execute(kysely(pool));
  return askedOf(SHARES_AGREE, async () => {
    const wrong = await Promise.all(
      rows.map(async ({ id, paymentId, cents }) => {
        const moves = await provider.movesOf({ id, paymentId }).catch(unknown);
        const isUnderWay = moves?.newestAt && moves.newestAt > settled;
        return (moves?.netCents ?? 0) === cents || isUnderWay ? [] : [id];
      }),
    );
    return wrong.flat();
  });
}

const DISPUTES_AGREE = 'the ledger has what closed disputes took';

/** Compares the provider's latest reports of closed disputes, lost or won, with our ledger. */
const disputesAgree = (pool: Pool, provider: Provider, settledMs: number): Promise<InvariantCheck> =>
  askedOf(DISPUTES_AGREE, async () => {
    const reports = await provider.events(DISPUTES_CLOSED, Math.ceil(settledMs / 1_000), null);
    const closed = new Map(
      reports.flatMap((report) => {
        const update = updateFromEvent(report);
        return update && 'disputeId' in update ? [[update.disputeId, update] as const] : [];
      }),
    );
    const intents = [...closed.values()].map(({ paymentId }) => paymentId);
    const { rows } = await sql<{ id: string; disputeId: string; cents: number }>`
      select p.id, d.dispute_id as "disputeId", coalesce((select sum(l.amount_cents) from ledger_entries l
          where l.payment_id = p.id and l.account = 'provider'
            and l.event in ('DisputeLost:' || d.dispute_id, 'DisputeWon:' || d.dispute_id)), 0)::int as cents
      from unnest(${[...closed.keys()]}::text[], ${intents}::text[]) d (dispute_id, intent)
        join payments p on p.stripe_payment_intent_id = d.intent`.execute(kysely(pool));
    return rows.flatMap(({ id, disputeId, cents }) => {
      const { outcome, amountCents, currency } = closed.get(disputeId)!;
      // Money in another currency counts as zero here.
      return currency !== 'usd' || cents === (outcome === 'lost' ? -amountCents : 0) ? [] : [id];
    });
  });

/** Maps the provider's 404 to undefined. */
function unknown(error: unknown): undefined {
  if (!(error instanceof HttpProblem) || error.status !== 404) throw error;
}

/**
 * Runs a check that calls the provider. The result is `unchecked` while the provider is down. `violating` returns the
 * ids of violating payments.
 */
async function askedOf(name: string, violating: () => Promise<string[]>): Promise<InvariantCheck> {
  try {
    const ids = await violating();
    return { name, ok: ids.length === 0, violations: ids.length, examples: ids.slice(0, 10) };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { name, ok: true, violations: 0, examples: [], unchecked: 'The provider does not answer.' };
  }
}

/** docs/architecture.md#invariants: every payment has either tickets or a refund, never both, and no cent is lost. */
export const invariants = ({
  pool,
  provider,
  settledMs = SETTLED_MS,
}: {
  pool: Pool;
  provider: Provider;
  settledMs?: number;
}): Promise<InvariantCheck[]> =>
  Promise.all([
    check(pool, 'a payment that succeeded is fulfilled or refunded', NOTHING_GIVEN),
    check(pool, 'no payment is both fulfilled and refunded', GIVEN_TWICE),
    check(pool, 'the money ledger sums to zero', UNBALANCED),
    check(pool, 'the money ledger agrees with the payments', LEDGER_DISAGREES),
    check(pool, 'organizers’ shares agree with the money ledger', SHARES_DISAGREE),
    check(pool, 'the revenue of days agrees with the payments', DAYS_DISAGREE),
    noJobGivenUp(pool),
    sharesAgree(pool, provider, settledMs),
    disputesAgree(pool, provider, settledMs),
    providerAgrees(pool, provider, settledMs),
  ]);
