import type { Pool } from 'pg';
import { PAYOUT_SCHEDULE, type PayoutMovement, type Payouts } from '@beltway/contracts/payments/payouts';
import { int4s } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { RowOf } from '@beltway/kit/columns';
import { payoutAccounts } from './columns.ts';
import type { AccountState } from './events.ts';
import { nextPayoutDay } from './schedule.ts';

export type AccountRow = RowOf<typeof payoutAccounts> & { state: AccountState };

const SELECT = `select ${payoutAccounts.select()} from payout_accounts`;

export async function accountOf(pool: Pool, userId: number): Promise<AccountRow | undefined> {
  return (await pool.query<AccountRow>(`${SELECT} where user_id = $1`, [userId])).rows[0];
}

export async function accountById(pool: Pool, accountId: string): Promise<AccountRow | undefined> {
  return (await pool.query<AccountRow>(`${SELECT} where account_id = $1`, [accountId])).rows[0];
}

export async function accountByTask(pool: Pool, taskId: string): Promise<AccountRow | undefined> {
  return (await pool.query<AccountRow>(`${SELECT} where task_id = $1`, [taskId])).rows[0];
}

/** The account that a payment to this organiser may name; undefined while theirs is not ready. Batched: each purchase asks. */
export const readyAccountOf = async (pool: Pool, userId: number): Promise<string | undefined> =>
  (await readyAccounts(pool, userId))?.accountId;
const readyAccounts = batchLoaderByKey(
  async (pool: Pool, userIds: number[]) =>
    (
      await pool.query<{ userId: number; accountId: string }>({
        name: 'ready-accounts',
        text: `select user_id as "userId", account_id as "accountId" from payout_accounts
               where user_id = any($1::int4[]) and state = 'ready'`,
        values: [int4s(userIds)],
      })
    ).rows,
  ({ userId }) => userId,
);

/** Of one organiser, or without one of all. */
const OF = '($1::int is null or %s = $1)';
const of = (column: string) => OF.replace('%s', column);

/** What went to accounts and was not sent to banks, and what was. Cents. */
export async function sumsOf(pool: Pool, userId: number | null) {
  const { rows } = await pool.query<{ owedCents: string; transferredCents: string; paidCents: string }>(
    `select s.*, (select coalesce(sum(amount_cents), 0) from payouts where status <> 'failed' and ${of('user_id')}) as "paidCents"
     from (select coalesce(sum(owed_cents), 0) as "owedCents", coalesce(sum(transferred_cents), 0) as "transferredCents"
           from payments where organiser_id is not null and ${of('organiser_id')}) s`,
    [userId],
  );
  const { owedCents, transferredCents, paidCents } = rows[0] ?? { owedCents: 0, transferredCents: 0, paidCents: 0 };
  const paid = Number(paidCents);
  return { owedCents: Number(owedCents), balanceCents: Number(transferredCents) - paid, paidCents: paid };
}

const HISTORY = 50;

/** The newest movements, by the ledger and the payouts. */
async function historyOf(pool: Pool, userId: number | null): Promise<PayoutMovement[]> {
  const { rows } = await pool.query<Omit<PayoutMovement, 'at'> & { at: Date }>(
    `(select l.payment_id || ':' || l.event as id, case when l.amount_cents < 0 then 'transfer' else 'reversal' end as kind,
        abs(l.amount_cents)::int as "amountCents", p.event_id as "eventId", null as status, l.occurred_at as at
      from payments p join ledger_entries l on l.payment_id = p.id and l.account = 'provider:transfers'
      where p.organiser_id is not null and ${of('p.organiser_id')} order by l.occurred_at desc, id limit $2)
     union all
     (select payout_id, 'payout', amount_cents, null, status, sent_at from payouts where ${of('user_id')}
      order by sent_at desc limit $2)
     order by at desc, id limit $2`,
    [userId, HISTORY],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** GET /api/payouts: a user's account with their own figures, or with the platform's. */
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
