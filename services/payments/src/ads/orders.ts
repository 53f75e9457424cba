import { createHash, randomBytes } from 'node:crypto';
import type { AdBusinessInfo, AdPackageId } from '@beltway/contracts/payments/ads';
import type { Language } from '@beltway/contracts/common/languages';
import type { Queries } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

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

const FIELDS = `id, package_id as "packageId", user_id as "userId", business_name as "businessName", contact_email as "contactEmail", phone,
  event_title as "eventTitle", event_description as "eventDescription", special_requests as "specialRequests", link_key as "linkKey",
  language`;

/** So long what was never paid is kept; the reconciler closes its intent after a day. */
const UNPAID_DAYS = 3;

/** What the catalog recognises a link's key by. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Written before there is a payment, so that none is without it. The last word counts, until the ad is paid. */
export async function keepAdOrder(
  db: Queryable,
  { id, packageId, userId, language }: Pick<AdOrder, 'id' | 'packageId' | 'userId' | 'language'>,
  of: AdBusinessInfo,
): Promise<void> {
  await db.query(
    `insert into ad_orders as o (id, package_id, user_id, business_name, contact_email, phone, event_title, event_description,
       special_requests, link_key, language) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (id) do update set business_name = excluded.business_name, contact_email = excluded.contact_email,
       phone = excluded.phone, event_title = excluded.event_title, event_description = excluded.event_description,
       special_requests = excluded.special_requests, language = excluded.language, changed_at = now()
     where not exists (select from payments p where p.id = o.id and p.status in ('succeeded', 'refunded'))`,
    [
      ...[id, packageId, userId, of.businessName, of.contactEmail, of.phone, of.eventTitle],
      ...[of.eventDescription, of.specialRequests, randomBytes(24).toString('base64url'), language],
    ],
  );
}

/** Those of these ids that there are, by id. */
export async function adOrdersById(db: Queries, ids: string[]): Promise<Map<string, AdOrder>> {
  const { rows } = await db.query<AdOrder>(`select ${FIELDS} from ad_orders where id = any($1::uuid[])`, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Forgets who began to buy and never paid. */
export const forgetUnpaid = (db: Queryable) =>
  db.query(
    `delete from ad_orders o where changed_at < now() - make_interval(days => ${UNPAID_DAYS})
       and not exists (select from payments p where p.id = o.id and p.status <> 'cancelled')`,
  );

const SWEEP_MS = 3_600_000;

/** Deletes unpaid orders once an hour. */
export const startForgettingUnpaid = (pool: Pool, log: Logger): Poller =>
  startPolling(log, 'unpaid ads', SWEEP_MS, async () => {
    await forgetUnpaid(pool);
    return false;
  });
