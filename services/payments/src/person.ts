import { said } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import { moneyText } from '@beltway/contracts/common/basics';
import type { Said } from '@beltway/contracts/common/basics';
import { erasuresOf, personal } from '@beltway/kit/personal-data';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from './db.ts';
import * as tables from './generated/tables.ts';
import { dropAdMails } from './work/ad-mails.ts';

const BOOKS = 'The books are kept, by number alone.';

/** The personal data that payments stores. The provider's customer contains only the user id. */
export const PERSONAL = [
  personal(tables.payments, 'userId', {
    exported: {
      as: 'payments',
      fields: [
        'id',
        'purpose',
        'eventId',
        'amount as amountCents',
        'returnedCents',
        'status',
        'createdAt',
        'succeededAt',
      ],
      newest: 'createdAt',
    },
    erasure: { kept: BOOKS },
  }),
  personal(tables.payments, 'organizerId', { erasure: { kept: BOOKS } }),
  personal(tables.revenueDays, 'organizerId', { erasure: { kept: BOOKS } }),
  personal(tables.adOrders, 'userId', {
    exported: {
      as: 'ads',
      fields: [
        ...(['id', 'packageId', 'businessName', 'contactEmail', 'phone', 'eventTitle', 'eventDescription'] as const),
        'specialRequests',
      ],
      newest: 'changedAt',
    },
    erasure: {
      set: { businessName: 'Deleted account', contactEmail: '', phone: '', eventDescription: '', specialRequests: '' },
    },
  }),
  personal(tables.payoutAccounts, 'userId', {
    exported: { as: 'payoutAccount', fields: ['accountId', 'state', 'openedAt'], one: true },
    erasure: { kept: BOOKS },
  }),
  personal(tables.payouts, 'userId', {
    exported: {
      as: 'payouts',
      fields: ['payoutId as id', 'amountCents', 'status', 'sentAt', 'settledAt'],
      newest: 'sentAt',
    },
    erasure: { kept: BOOKS },
  }),
  personal(tables.accountSuspensions, 'userId', { erasure: { kept: BOOKS } }),
  personal(tables.customers, 'userId', { erasure: 'delete' }),
  personal(tables.promotableEvents, 'ownerId', { erasure: { kept: 'A copy of the catalog, which keeps its events.' } }),
];

/** Why an account cannot be erased now: payments, refunds or payouts are in progress, or we owe the account money. */
export async function personObstacles(db: Queryable, userId: number): Promise<Said[]> {
  const { rows } = await sql<
    { owedCents: string } & Record<'isPaying' | 'isRefunding' | 'isDisputed' | 'isPaidOut', boolean>
  >`
    select
      (select coalesce(sum(owed_cents), 0) from payments where organizer_id = ${userId} and owed_cents <> 0) as "owedCents",
      exists (select from payments where user_id = ${userId} and status in ('action', 'processing')) as "isPaying",
      exists (select from refunds r join payments p using (id) where p.user_id = ${userId} and r.status = 'due')
        or exists (select from part_refunds r join payments p on p.id = r.payment_id
          where p.user_id = ${userId} and r.status = 'due') as "isRefunding",
      exists (select from alerts a join payments p on p.id = a.payment_id
        where (p.user_id = ${userId} or p.organizer_id = ${userId}) and a.kind = 'dispute-opened' and a.resolved_at is null) as "isDisputed",
      exists (select from payouts where user_id = ${userId} and settled_at is null) as "isPaidOut"`.execute(kysely(db));
  const { owedCents, isPaying, isRefunding, isDisputed, isPaidOut } = rows[0]!;
  const owed = Number(owedCents);
  const obstacles: Said[] = [];
  if (owed > 0) obstacles.push(said('money-owed.to-you', { amount: moneyText(owed) }));
  if (owed < 0) obstacles.push(said('money-owed.by-you', { amount: moneyText(-owed) }));
  if (isPaidOut) obstacles.push(said('payout-under-way'));
  if (isPaying) obstacles.push(said('payment-under-way.yours'));
  if (isRefunding) obstacles.push(said('refund-under-way'));
  if (isDisputed) obstacles.push(said('dispute-under-way'));
  return obstacles;
}

/** Erases an account's data in payments, including pending mails. Idempotent. */
export const erasePerson = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    await dropAdMails(tx, userId);
    for (const statement of erasuresOf(PERSONAL)) await tx.query(statement, [userId]);
  });
