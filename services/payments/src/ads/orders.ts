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

/** What is known of who buys an ad. Rows and not events: they hold addresses (decision 0003). */
export interface AdOrder extends AdBusinessInfo {
  /** The payment's id, which is the ad's too. */
  id: string;
  packageId: AdPackageId;
  /** The buyer's account; null for a guest. */
  userId: number | null;
  /** Opens the ad's page, for whoever has it. */
  linkKey: string;
  /** That the buyer is written in. */
  language: Language;
}

const ABOUT_BUSINESS = [
  ...(['businessName', 'contactEmail', 'phone', 'eventTitle', 'eventDescription', 'specialRequests'] as const),
];

const paymentOf = sql`select from payments p where p.id = ad_orders.id`;

/** So long what was never paid is kept; the reconciler closes its intent after a day. */
const UNPAID = '3 days';

/** What the catalog recognizes a link's key by. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Written before there is a payment, so that none is without it. The last word counts, until the ad is paid. */
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

/** Those of these ids that there are, by id. */
export async function adOrdersById(db: Queries, ids: string[]): Promise<Map<string, AdOrder>> {
  const rows = await kysely(db)
    .selectFrom('adOrders')
    .select(['id', 'packageId', 'userId', ...ABOUT_BUSINESS, 'linkKey', 'language'])
    .where('id', '=', anyOf(ids))
    .$castTo<AdOrder>()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Forgets who began to buy and never paid. */
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
