import type { Pool } from 'pg';
import { PAYOUT_SCHEDULE, type PayoutMovement, type Payouts } from '@beltway/contracts/payments/payouts';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { RowOf } from '@beltway/kit/columns';
import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import type { payoutAccounts } from '../generated/tables.ts';
import type { AccountState } from './events.ts';
import { nextPayoutDay } from './schedule.ts';

export type AccountRow = RowOf<typeof payoutAccounts> & { state: AccountState };

const accounts = (pool: Pool) => kysely(pool).selectFrom('payoutAccounts').selectAll().$castTo<AccountRow>();

export const accountOf = (pool: Pool, userId: number): Promise<AccountRow | undefined> =>
  accounts(pool).where('userId', '=', userId).executeTakeFirst();

export const accountById = (pool: Pool, accountId: string): Promise<AccountRow | undefined> =>
  accounts(pool).where('accountId', '=', accountId).executeTakeFirst();

export const accountByTask = (pool: Pool, taskId: string): Promise<AccountRow | undefined> =>
  accounts(pool).where('taskId', '=', taskId).executeTakeFirst();

/**
 * The destination account for payments to this organizer; undefined while the account is not ready. Lookups are
 * batched, because each purchase makes one.
 */
export const readyAccountOf = async (pool: Pool, userId: number): Promise<string | undefined> =>
  (await readyAccounts(pool, userId))?.accountId;
const readyAccounts = batchLoaderByKey(
  (pool: Pool, userIds: number[]) =>
    kysely(pool)
      .selectFrom('payoutAccounts')
      .select(['userId', 'accountId'])
      .where('userId', '=', anyOf(userIds))
      .where('state', '=', 'ready')
      .execute(),
  ({ userId }) => userId,
);

/** Matches the rows of one organizer, or all rows if null. */
const isOf = (column: string, userId: number | null) => sql`(${userId}::int is null or ${sql.ref(column)} = ${userId})`;

/** The cents owed to organizers, in their accounts, and paid out to their banks. */
export async function sumsOf(pool: Pool, userId: number | null) {
  const { rows } = await sql<{ owedCents: string; transferredCents: string; paidCents: string }>`
    select coalesce(sum(owed_cents), 0) as "owedCents", coalesce(sum(transferred_cents), 0) as "transferredCents",
      (select coalesce(sum(amount_cents), 0) from payouts where status <> 'failed' and ${isOf('user_id', userId)}) as "paidCents"
    from payments where organizer_id is not null and ${isOf('organizer_id', userId)}`.execute(kysely(pool));
  const { owedCents, transferredCents, paidCents } = rows[0] ?? { owedCents: 0, transferredCents: 0, paidCents: 0 };
  const paid = Number(paidCents);
  return { owedCents: Number(owedCents), balanceCents: Number(transferredCents) - paid, paidCents: paid };
}

/**
 * The cents that payouts leave in the organizer's account, because buyers may get them: what is owed back, and the
 * shares of payments with a requested refund or an open dispute (services/payments/PRODUCT.md#payouts).
 */
async function keptCentsOf(pool: Pool, userId: number): Promise<number> {
  const { rows } = await sql<{ keptCents: string }>`
    select coalesce(sum(least(p.transferred_cents, case
        when exists (select from refunds r where r.id = p.id and r.status = 'due')
          or exists (select from alerts a where a.payment_id = p.id and a.kind = 'dispute-opened' and a.resolved_at is null)
          then p.transferred_cents
        else greatest(-p.owed_cents, 0)
          + coalesce((select sum(r.cents) from part_refunds r where r.payment_id = p.id and r.status = 'due'), 0)
      end)), 0) as "keptCents"
    from payments p where p.organizer_id = ${userId} and p.id in (
      select id from payments where organizer_id = ${userId} and owed_cents < 0
      union select id from refunds where status = 'due'
      union select payment_id from part_refunds where status = 'due'
      union select payment_id from alerts where kind = 'dispute-opened' and resolved_at is null)`.execute(kysely(pool));
  return Number(rows[0]!.keptCents);
}

/**
 * The cents that a payout may take from the organizer's account, of which `availableCents` have settled; below zero if
 * more is kept than is there.
 */
export async function payableCents(pool: Pool, userId: number, availableCents = Infinity): Promise<number> {
  const { balanceCents } = await sumsOf(pool, userId);
  return Math.min(balanceCents, availableCents) - (await keptCentsOf(pool, userId));
}

const HISTORY = 50;

/** The newest movements, from the ledger and the payouts. */
async function historyOf(pool: Pool, userId: number | null): Promise<PayoutMovement[]> {
  const { rows } = await sql<Omit<PayoutMovement, 'at'> & { at: Date }>`
    (select l.payment_id || ':' || l.event as id, case when l.amount_cents < 0 then 'transfer' else 'reversal' end as kind,
        abs(l.amount_cents)::int as "amountCents", p.event_id as "eventId", null as status, l.occurred_at as at
      from payments p join ledger_entries l on l.payment_id = p.id and l.account = 'provider:transfers'
      where p.organizer_id is not null and ${isOf('p.organizer_id', userId)} order by l.occurred_at desc, id limit ${HISTORY})
    union all
    (select payout_id, 'payout', amount_cents, null, status, sent_at from payouts where ${isOf('user_id', userId)}
      order by sent_at desc limit ${HISTORY})
    order by at desc, id limit ${HISTORY}`.execute(kysely(pool));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** GET /api/payouts: the user's account, with the user's own figures or the figures of the whole platform. */
export async function payoutsOf(pool: Pool, userId: number, scope: Payouts['scope'], now: Date): Promise<Payouts> {
  const of = scope === 'own' ? userId : null;
  const [account, sums, kept, history] = await Promise.all([
    accountOf(pool, userId),
    sumsOf(pool, of),
    scope === 'own' ? keptCentsOf(pool, userId) : 0,
    historyOf(pool, of),
  ]);
  const amountCents = scope === 'own' && account?.state === 'ready' ? sums.balanceCents - kept : 0;
  const isDue = amountCents >= PAYOUT_SCHEDULE.minimumCents;
  return {
    scope,
    state: account?.state ?? 'none',
    ...sums,
    keptCents: Math.max(Math.min(kept, sums.balanceCents), 0),
    nextPayout: isDue ? { on: nextPayoutDay(now), amountCents } : null,
    schedule: PAYOUT_SCHEDULE,
    history,
  };
}
