import { createHash, randomBytes } from 'node:crypto';
import type { AdBusinessInfo, AdPackageId } from '@beltway/contracts/payments/ads';
import type { Language } from '@beltway/contracts/common/languages';
import type { Queries } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { ago, anyOf, excluded } from '@beltway/kit/kysely';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';

/** Details of an ad's buyer. Stored as rows, not events, because they contain email addresses (decision 0003). */
export interface AdOrder extends AdBusinessInfo {
  /** The payment's id, which is also the ad's id. */
  id: string;
  packageId: AdPackageId;
  /** The buyer's account; null for a guest. */
  userId: number | null;
  /** The key in the link to the ad's page. Anyone who has the key can open that page. */
  linkKey: string;
  /** Language of mails to the buyer. */
  language: Language;
}

const ABOUT_BUSINESS = [
  ...(['businessName', 'contactEmail', 'phone', 'eventTitle', 'eventDescription', 'specialRequests'] as const),
];

const paymentOf = sql`select from payments p where p.id = ad_orders.id`;

/** How long an unpaid order is stored. The reconciler cancels the order's intent after a day. */
const UNPAID = '3 days';

/** The hash that the catalog compares with the hash of the key in an ad's link. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Saves an order before its payment is requested, so that every payment has an order. Until the ad is paid, later
 * details replace the stored details.
 */
export async function keepAdOrder(db: Queryable, order: Omit<AdOrder, 'linkKey'>): Promise<void> {
  await kysely(db)
    .insertInto('adOrders')
    .values({ ...order, linkKey: randomBytes(24).toString('base64url') })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({ ...excluded(eb, [...ABOUT_BUSINESS, 'language']), changedAt: sql`now()` }))
        .where(sql<boolean>`not exists (${paymentOf} and p.status in ('succeeded', 'refunded'))`),
    )
    .execute();
}

/** Maps each of these ids to its order. Unknown ids are left out. */
export async function adOrdersById(db: Queries, ids: string[]): Promise<Map<string, AdOrder>> {
  const rows = await kysely(db)
    .selectFrom('adOrders')
    .select(['id', 'packageId', 'userId', ...ABOUT_BUSINESS, 'linkKey', 'language'])
    .where('id', '=', anyOf(ids))
    .$castTo<AdOrder>()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deletes old orders that have no payment or a canceled payment. An order with an open payment is not deleted. */
export const forgetUnpaid = (db: Queryable) =>
  kysely(db)
    .deleteFrom('adOrders')
    .where('changedAt', '<', ago(UNPAID))
    .where(sql<boolean>`not exists (${paymentOf} and p.status <> 'canceled')`)
    .execute();

const SWEEP_MS = 3_600_000;

/** Deletes unpaid orders once an hour. */
export const startForgettingUnpaid = (pool: Pool, log: Logger): Poller =>
  startPolling(log, 'unpaid ads', SWEEP_MS, async () => {
    await forgetUnpaid(pool);
    return false;
  });
