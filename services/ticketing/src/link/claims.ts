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
import { linkCommand } from './routes.ts';

/** Orders that are claimed at a time. */
const PAGE = 50;
/** Then others have their turn first. */
const MAX_PAGES = 20;
/** What is in the checkout when the address is verified is looked for again, for so long. */
const AGAIN_SECONDS = 5 * 60;
const UNTIL_MS = 60 * 60_000;

/** Keys are the ids of accounts. Identity may be away for half a day. */
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
  /** Asked which address an account has, and whether it is verified: the bus names none. */
  identity: Pick<InternalClient, 'get'>;
}

/** By the index of customers' names and addresses (`checkouts_text`). */
const ordersOf = (pool: Pool, email: string) =>
  kysely(pool)
    .selectFrom('checkouts as c')
    .innerJoin('orders as o', 'o.orderId', 'c.orderId')
    .select(['o.orderId', 'o.eventId', 'o.quantity', 'o.linkGeneration'])
    .select((eb) => eb('o.status', 'in', IN_PAID_STATES).as('isBought'))
    .where(sql<boolean>`lower(c.holder_name || E'\\n' || c.holder_email) like '%' || E'\\n' || ${asPattern(email)}`)
    .where(sql<boolean>`lower(c.holder_email) = ${email}`)
    .where('o.buyerId', 'is', null)
    .where((eb) => eb.or([eb('o.status', '=', sql.lit('held')), eb('o.status', 'in', IN_PAID_STATES)]))
    .orderBy((eb) => eb('o.status', '=', sql.lit('held')))
    .orderBy('o.orderId')
    .limit(PAGE)
    .execute();
type GuestOrder = Awaited<ReturnType<typeof ordersOf>>[number];

const asPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * Saves what a guest bought to the account whose address, the one that was typed at the checkout, was verified. Who it is waits in a row
 * until it is done, so that no crash and no absence of identity loses it; each order is claimed by the command that a claim by link is
 * (`link/routes.ts`), once.
 */
export async function startClaims({ pool, bus, log, sales, identity }: ClaimDeps) {
  /** Null: the account is no more, or its address is not verified (any more). */
  async function addressOf(userId: number): Promise<string | null> {
    try {
      const { email, isVerified } = AccountAddress.parse(await identity.get(`/internal/people/${userId}/address`));
      return isVerified ? email.toLowerCase() : null;
    } catch (error) {
      if (error instanceof HttpProblem && error.status === 404) return null;
      throw error;
    }
  }

  /** Whether the order is this account's now; another claim, or another link, may have been first. */
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

  /** Claims all that the address has bought. Answers whether something may be left: in a checkout, or claimed by somebody right now. */
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
