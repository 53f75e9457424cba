import type { IdenticalOrder } from '@beltway/contracts/ticketing/orders';
import { uuidFrom, uuids } from '@beltway/event-store';
import { anyOf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { orderNumber } from '../order/number.ts';
import type { OrderRow } from '../order/queries.ts';

/** An order counts as a repeat only if the earlier order was paid at most this many milliseconds ago. */
const WITHIN_MS = 15 * 60_000;
/** Maximum number of orders that are compared. No buyer can pay for more orders within `WITHIN_MS`. */
const MAX_COMPARED = 20;

/**
 * The buyer's newest other order for the same event and quantity that was paid within `WITHIN_MS`; null: none. An
 * account is compared by its id. A guest is compared by email address and by the key that the server gave to the
 * browser (`guests.ts`). If only the email address were compared, anyone who types it could see what its owner bought.
 */
export async function identicalOrderOf(
  db: Queryable,
  { orderId, eventId, quantity, buyerId, holderEmail }: OrderRow,
  now: Date,
): Promise<IdenticalOrder | null> {
  if (buyerId === null && !holderEmail) return null;
  const rows = await kysely(db)
    .selectFrom('orders as o')
    .innerJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .select(['o.orderId', 'o.quantity', 'o.settledAt', 'c.number'])
    .where('o.status', '=', sql.lit('fulfilled'))
    .where('o.eventId', '=', eventId)
    .where('o.quantity', '=', quantity)
    .where('o.settledAt', '>', new Date(now.getTime() - WITHIN_MS))
    .where('o.orderId', '<>', orderId)
    .$if(buyerId !== null, (query) => query.where('o.buyerId', '=', buyerId))
    .$if(buyerId === null, (query) =>
      query
        .where('o.buyerId', 'is', null)
        .where(sql<boolean>`lower(c.holder_email) = ${(holderEmail ?? '').toLowerCase()}`),
    )
    .orderBy('o.settledAt', 'desc')
    .limit(MAX_COMPARED)
    .execute();
  const isSameBuyer = buyerId === null && rows.length > 0 ? await sameGuest(db, orderId, rows) : () => true;
  const found = rows.find(isSameBuyer);
  if (!found?.settledAt) return null;
  const { number, settledAt, ...order } = found;
  return { ...order, orderNumber: orderNumber(number), boughtAt: settledAt.toISOString() };
}

/** Whether another order was held with the same guest key. Only the log contains these keys. */
async function sameGuest(db: Queryable, orderId: string, others: readonly { orderId: string }[]) {
  // A hold's command id is its order's id. If a hold replaces another, it is the second event of its command.
  const commands = [orderId, ...others.map((one) => one.orderId)].map(uuidFrom);
  const { rows } = await sql<{ orderId: string; guest: string | null }>`
    select h.data->>'orderId' as order_id, h.data->>'guest' as guest
    from events c join events h on h.stream = c.stream and h.version between c.version and c.version + 1
    where c.command_id = ${anyOf<string>(uuids(commands))} and h.type = 'TicketsHeld'`.execute(kysely(db));
  const guests = new Map(rows.map((row) => [row.orderId, row.guest]));
  const own = guests.get(orderId);
  return (other: { orderId: string }): boolean => Boolean(own) && guests.get(other.orderId) === own;
}
