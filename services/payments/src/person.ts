import type { Pool } from 'pg';
import { moneyText } from '@beltway/contracts/common/basics';
import { MAX_EXPORTED, type Obstacle, type PersonPart } from '@beltway/contracts/identity/people';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { dropAdMails } from './work/ad-mails.ts';

/** What stands in the place of a business's name once the account that bought its ad was erased. */
const DELETED_ACCOUNT = 'Deleted account';

/** Finds the highest number of an account that stands here: identity gives none up to it. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from payments), (select max(organiser_id) from payments))`;

/** Their payments, the ads that they bought, their account for payouts and what was sent from it; the newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string) => (await db.query(text, [userId, MAX_EXPORTED])).rows as object[];
  const [payments, ads, payouts, [payoutAccount = null]] = await Promise.all([
    list(`select id, purpose, event_id as "eventId", amount as "amountCents", returned_cents as "returnedCents", status,
        created_at as "createdAt", succeeded_at as "succeededAt" from payments where user_id = $1 order by created_at desc limit $2`),
    list(`select id, package_id as "packageId", business_name as "businessName", contact_email as "contactEmail", phone,
        event_title as "eventTitle", event_description as "eventDescription", special_requests as "specialRequests"
      from ad_orders where user_id = $1 order by changed_at desc limit $2`),
    list(`select payout_id as id, amount_cents as "amountCents", status, sent_at as "sentAt", settled_at as "settledAt"
      from payouts where user_id = $1 order by sent_at desc limit $2`),
    list(
      `select account_id as "accountId", state, opened_at as "openedAt" from payout_accounts where user_id = $1 limit $2`,
    ),
  ]);
  const isComplete = [payments, ads, payouts].every(({ length }) => length < MAX_EXPORTED);
  return { payments, ads, payoutAccount, payouts, isComplete };
}

/** Money that is on its way to or from them, or owed. */
export async function personObstacles(db: Queryable, userId: number): Promise<Obstacle[]> {
  const { rows } = await db.query<{
    owedCents: string;
    isPaying: boolean;
    isRefunding: boolean;
    isDisputed: boolean;
    isPaidOut: boolean;
  }>(
    `select
       (select coalesce(sum(owed_cents), 0) from payments where organiser_id = $1 and owed_cents <> 0) as "owedCents",
       exists (select from payments where user_id = $1 and status in ('action', 'processing')) as "isPaying",
       exists (select from refunds r join payments p using (id) where p.user_id = $1 and r.status = 'due')
         or exists (select from part_refunds r join payments p on p.id = r.payment_id
           where p.user_id = $1 and r.status = 'due') as "isRefunding",
       exists (select from alerts a join payments p on p.id = a.payment_id
         where (p.user_id = $1 or p.organiser_id = $1) and a.kind = 'dispute-opened' and a.resolved_at is null) as "isDisputed",
       exists (select from payouts where user_id = $1 and settled_at is null) as "isPaidOut"`,
    [userId],
  );
  const { owedCents, isPaying, isRefunding, isDisputed, isPaidOut } = rows[0]!;
  const owed = Number(owedCents);
  const obstacles: Obstacle[] = [];
  if (owed > 0)
    obstacles.push({
      code: 'money-owed',
      detail: `We owe you ${moneyText(owed)}. Set up payouts under Dashboard, and wait until it was sent.`,
    });
  if (owed < 0)
    obstacles.push({ code: 'money-owed', detail: `Your account for payouts owes ${moneyText(-owed)} after refunds.` });
  if (isPaidOut) obstacles.push({ code: 'payout-under-way', detail: 'A payout to your bank is on its way.' });
  if (isPaying) obstacles.push({ code: 'payment-under-way', detail: 'A payment of yours is under way.' });
  if (isRefunding)
    obstacles.push({ code: 'refund-under-way', detail: 'A refund to you is on its way. Wait until it was sent.' });
  if (isDisputed)
    obstacles.push({ code: 'dispute-under-way', detail: 'A bank disputes a payment. Wait until that is settled.' });
  return obstacles;
}

/**
 * Takes the person out of the ads that they bought, and forgets which customer of the provider they are: the customer holds their number
 * here and nothing else. Payments, payouts and the ledger stay, by that number.
 */
export const erasePerson = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    await dropAdMails(tx, userId);
    await tx.query(
      `update ad_orders set business_name = $2, contact_email = '', phone = '', event_description = '', special_requests = ''
       where user_id = $1 and contact_email <> ''`,
      [userId, DELETED_ACCOUNT],
    );
    await tx.query('delete from customers where user_id = $1', [userId]);
  });
