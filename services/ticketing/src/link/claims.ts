import { sql } from 'kysely';
import type { Pool } from 'pg';
import { EmailVerifiedV1 } from '@beltway/contracts/identity/accounts';
import { AccountAddress } from '@beltway/contracts/realtime/notifications';
import { CommandReused, Rejected } from '@beltway/event-store';
import { backoff } from '@beltway/kit/backoff';
import type { Bus } from '@beltway/kit/bus';
import { consume, on } from '@beltway/kit/bus/consume';
import type { InternalClient } from '@beltway/kit/internal';
import { enqueue, startQueue, type Queue } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';
import { IN_PAID_STATES } from '../order/status.ts';
import { kysely } from '../db.ts';
import type { Sales } from '../sale/stream.ts';
import { linkCommand } from './command.ts';

/** Orders claimed per batch. */
const PAGE = 50;
/** After this many batches the job yields to the jobs of other accounts. */
const MAX_PAGES = 20;
/**
 * If an order is still in checkout when the email address is verified, it is looked up again at this interval, for up
 * to an hour.
 */
const AGAIN_SECONDS = 5 * 60;
const UNTIL_MS = 60 * 60_000;

/** Keys are account ids. If identity is down, retries continue for half a day. */
const addressClaims: Queue<{ askedAt: number }> = {
  name: 'address-claim',
  maxAttempts: 20,
  pauseMs: backoff(30_000, 3_600_000),
  leaseSeconds: 60,
  concurrency: 1,
  keepsDone: false,
};

export const dropClaim = (tx: Queryable, userId: number) =>
  kysely(tx).deleteFrom('jobs').where('queue', '=', addressClaims.name).where('key', '=', String(userId)).execute();

export interface ClaimDeps {
  pool: Pool;
  bus: Bus;
  log: Logger;
  sales: Sales;
  /**
   * Client of identity, which reports an account's email address and whether it is verified. Messages on the bus
   * contain no email addresses.
   */
  identity: Pick<InternalClient, 'get'>;
}

/** The orders bought or in checkout with this email address. Uses the index `checkouts_address`. */
const ordersOf = (pool: Pool, email: string) =>
  kysely(pool)
    .selectFrom('checkouts as c')
    .innerJoin('orders as o', 'o.orderId', 'c.orderId')
    .select(['o.orderId', 'o.eventId', 'o.quantity', 'o.linkGeneration'])
    .select((eb) => eb('o.status', 'in', IN_PAID_STATES).as('isBought'))
    .where(sql<boolean>`lower(c.holder_email) = ${email}`)
    .where('o.buyerId', 'is', null)
    .where((eb) => eb.or([eb('o.status', '=', sql.lit('held')), eb('o.status', 'in', IN_PAID_STATES)]))
    .orderBy((eb) => eb('o.status', '=', sql.lit('held')))
    .orderBy('o.orderId')
    .limit(PAGE)
    .execute();
type GuestOrder = Awaited<ReturnType<typeof ordersOf>>[number];

/**
 * When an account verifies its email address, saves the guest orders that were bought with this email address to the
 * account. The account stays in a queue until all its orders are saved, so that neither a crash nor an outage of
 * identity loses an order. Each order is claimed once, with the same command as a claim by link (`link/routes.ts`).
 */
export async function startClaims({ pool, bus, log, sales, identity }: ClaimDeps) {
  /**
   * The verified email address of an account. null if the account no longer exists, or its email address is not
   * verified.
   */
  async function addressOf(userId: number): Promise<string | null> {
    try {
      const { email, isVerified } = AccountAddress.parse(await identity.get(`/internal/people/${userId}/address`));
      return isVerified ? email.toLowerCase() : null;
    } catch (error) {
      if (error instanceof HttpProblem && error.status === 404) return null;
      throw error;
    }
  }

  /** Claims the order for this account. Returns false if another claim was faster, or a new link was issued first. */
  async function claim({ orderId, eventId, quantity, linkGeneration }: GuestOrder, buyerId: number): Promise<boolean> {
    const next = linkGeneration + 1;
    try {
      await sales.handle(
        eventId,
        { type: 'ClaimOrder', orderId, quantity, buyerId, linkGeneration: next },
        { commandId: linkCommand(orderId, next), fingerprint: `claim:${buyerId}`, userId: buyerId },
      );
      return true;
    } catch (error) {
      if (error instanceof CommandReused || error instanceof Rejected) return false;
      throw error;
    }
  }

  /**
   * Claims all orders bought with the email address. Returns whether there may be more later: orders in checkout, or
   * orders that another account is claiming.
   */
  async function claimAll(userId: number, email: string, signal: AbortSignal): Promise<boolean> {
    for (let page = 0; page < MAX_PAGES; page++) {
      signal.throwIfAborted();
      const rows = await ordersOf(pool, email);
      const bought = rows.filter(({ isBought }) => isBought);
      if (bought.length === 0) return rows.length > 0;
      let claimed = 0;
      for (const order of bought) if (await claim(order, userId)) claimed++;
      if (claimed === 0) break;
    }
    return true;
  }

  const worker = startQueue({ pool, log }, addressClaims, async ({ key, data: { askedAt }, signal }) => {
    const userId = Number(key);
    const email = await addressOf(userId);
    const isLeft = email !== null && (await claimAll(userId, email, signal));
    return isLeft && Date.now() - askedAt < UNTIL_MS ? { againAfter: AGAIN_SECONDS } : {};
  });

  const consumer = await consume({
    ...{ pool, bus, log, group: 'ticketing.accounts', topics: ['identity.events'] },
    handlers: {
      'identity.email-verified': on(EmailVerifiedV1, async ({ data: { userId } }, tx) => {
        await enqueue(tx, addressClaims, [{ key: String(userId), data: { askedAt: Date.now() } }], { again: true });
      }),
    },
  });
  return {
    wake: worker.wake,
    stop: async () => {
      await consumer.stop();
      await worker.stop();
    },
  };
}
