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
  const [account, sums, history] = await Promise.all([accountOf(pool, userId), sumsOf(pool, of), historyOf(pool, of)]);
  const isDue = scope === 'own' && account?.state === 'ready' && sums.balanceCents >= PAYOUT_SCHEDULE.minimumCents;
  return {
    scope,
    state: account?.state ?? 'none',
    ...sums,
    nextPayout: isDue ? { on: nextPayoutDay(now), amountCents: sums.balanceCents } : null,
    schedule: PAYOUT_SCHEDULE,
    history,
  };
}
