import { DAY_S, ofAccount, ofNetworks, tooMuch, type Allowance, type Allowances } from '@beltway/kit/allowances';
import type { Caller } from '@beltway/kit/auth';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { OrderRow } from '../order/queries.ts';

/** Limits the orders that a buyer may return, because each return costs the platform the provider's fee. */
const BUYER: Allowance = { name: 'returned-orders', max: 5, perSeconds: 30 * DAY_S };
/**
 * The limit for all guests and unverified accounts of one network together, because anyone can create email addresses
 * and accounts for free.
 */
const NETWORK: Allowance = { name: 'returned-orders-network', max: 30, perSeconds: DAY_S };

const isCounted = async (db: Queryable, orderId: string): Promise<boolean> =>
  (await kysely(db).selectFrom('orderRefunds').select('refundId').where('orderId', '=', orderId).executeTakeFirst()) !==
  undefined;

/**
 * Counts an order that its buyer returns. An order that is returned in parts counts only once
 * (services/ticketing/PRODUCT.md#refunds). Throws 429 `too-many-refunds` if the buyer, or the guests of the network,
 * have returned too many.
 */
export async function takeReturn(
  { pool, allowances }: { pool: Queryable; allowances: Allowances },
  { orderId, buyerId, holderEmail }: OrderRow,
  { caller, address }: { caller: Caller | undefined; address: string | undefined },
): Promise<void> {
  if (await isCounted(pool, orderId)) return;
  const isVerified = buyerId !== null && caller?.id === buyerId && caller.isVerified;
  const buyer =
    buyerId === null
      ? { allowance: BUYER, of: `email:${holderEmail?.toLowerCase() ?? orderId}`, amount: 1 }
      : ofAccount(BUYER, buyerId, 1);
  const network = isVerified || address === undefined ? [] : ofNetworks(NETWORK, address, 1);
  const wait = await allowances.take([buyer, ...network]);
  if (wait === 0) return;
  throw tooMuch('too-many-refunds', wait);
}
