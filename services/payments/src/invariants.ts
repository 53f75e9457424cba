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

/** Money taken more than a minute ago, nothing heard of what it bought, and no refund done, under way or asked for. */
const NOTHING_GIVEN = sql`
  select p.id from payments p left join refunds r using (id)
  where p.status = 'succeeded' and p.fulfilled_at is null and r.id is null and p.succeeded_at < now() - make_interval(secs => ${GRACE_SECONDS})`;

/**
 * Tickets and money back. Legitimate only when ticketing undid an order that had its tickets (the event was canceled): then the
 * refund was asked for after the fulfillment, for another reason than `too-late`. Both messages have one key, so they come in
 * the order in which ticketing decided them. Money given back by the provider unasked has a minute until ticketing says that the tickets
 * are returned. While a bank has the money of a lost dispute, ticketing keeps the tickets void. What the platform
 * sells itself ends with its payment (`payments.promotion-refunded`, `payments.ad-refunded`).
 */
const GIVEN_TWICE = sql`
  select p.id from payments p join refunds r using (id)
  where p.fulfilled_at is not null and r.reason <> 'dispute-lost' and not (r.after_fulfillment and r.reason <> 'too-late')
    and not (r.reason = 'made-at-provider' and (p.purpose <> 'tickets' or r.requested_at > now() - make_interval(secs => ${GRACE_SECONDS})))`;

const UNBALANCED = sql`select payment_id as id from ledger_entries group by payment_id, event having sum(amount_cents) <> 0`;

/** What the provider holds of a payment, by the ledger, is what the payment says. */
const LEDGER_DISAGREES = sql`
  select p.id from payments p left join (
    select payment_id, sum(amount_cents) as cents from ledger_entries where account = 'provider' group by payment_id
  ) l on l.payment_id = p.id
  where coalesce(l.cents, 0) <> case when p.status in ('succeeded', 'refunded') then p.amount - p.returned_cents else 0 end`;

/** What organizers are owed, and have, by the rows that the workers go by. */
const SHARES_DISAGREE = sql`
  select p.id from payments p left join (
    select payment_id, sum(amount_cents) filter (where account like 'organizer:%') as owed,
      sum(amount_cents) filter (where account = 'provider:transfers') as moved
    from ledger_entries group by payment_id
  ) l on l.payment_id = p.id
  where p.owed_cents <> -coalesce(l.owed, 0) or p.transferred_cents <> -coalesce(l.moved, 0)`;

/**
 * The sums of days are what the payments say, once all that is in the log was added up: while it is not, nothing is said.
 */
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
/** Reports of what happened need time to come, by the slowest way a few minutes. */
const SETTLED_MS = 600_000;
const LOOKED_AT_MS = 24 * 3_600_000;
const MAX_CHARGES = 500;

/**
 * The provider's own list of what it took and gave back, a day long and bounded, against our ledger. A refund of ours under way moves
 * both, one after the other, and is left out; what a dispute took is no refund there, and has a check of its own.
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
      // Money we say we took, which the provider does not know.
      ...rows
        .filter(({ intent, moving }) => !moving && !held.has(intent))
        .map(({ id, intent }) => [intent, { id }] as const),
    ].map(([, { id }]) => id);
  });
}

const SHARES_AGREE = 'organizers’ accounts have at the provider what the ledger says';
const MAX_SHARES = 20;

/** Shares that were to be taken back and were not, and shares that moved within a day. The newest move may not be recorded yet. */
const sharesLookedAt = (from: Date, to: Date) => sql<{ id: string; paymentId: string; cents: number }>`
  (select id, stripe_payment_intent_id as "paymentId", transferred_cents as cents from payments
    where owed_cents < 0 order by succeeded_at limit ${MAX_SHARES / 2})
  union
  (select p.id, p.stripe_payment_intent_id, p.transferred_cents from payments p join (
      select payment_id, max(occurred_at) as moved_at from ledger_entries
      where account = 'provider:transfers' and occurred_at > ${from} group by payment_id
    ) l on l.payment_id = p.id
    where moved_at <= ${to} order by moved_at desc limit ${MAX_SHARES / 2})`;

/** What is with the organizer's account by the provider, after transfers, reversals and returned fees, against our ledger. */
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

/** The provider's last reports of disputes that were closed, lost or won, against our ledger. */
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
      // Money in another currency counts as nothing here.
      return currency !== 'usd' || cents === (outcome === 'lost' ? -amountCents : 0) ? [] : [id];
    });
  });

/** The provider does not know it. */
function unknown(error: unknown): undefined {
  if (!(error instanceof HttpProblem) || error.status !== 404) throw error;
}

/** A check that asks the provider; while that does not answer, `unchecked` says so. `violating` finds the payments' ids. */
async function askedOf(name: string, violating: () => Promise<string[]>): Promise<InvariantCheck> {
  try {
    const ids = await violating();
    return { name, ok: ids.length === 0, violations: ids.length, examples: ids.slice(0, 10) };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { name, ok: true, violations: 0, examples: [], unchecked: 'The provider does not answer.' };
  }
}

/** docs/architecture.md#invariants: nobody pays for nothing, nobody gets both, no cent is lost. */
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
