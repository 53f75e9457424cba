import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { isTransient, transaction } from '@beltway/kit/postgres';
import type { Payments } from './payments.ts';
import { expiredHolds, ordersToReturn, type OrderRow } from './queries.ts';
import { returnTickets } from './return.ts';
import { sellOrder, type Selling } from './sell.ts';

export interface Reconciling extends Selling {
  pool: Pool;
  payments: Payments;
  log: Logger;
}

const BATCH = 200;
const AT_ONCE = 16;

/** Runs `work` over the list, a few at a time. */
async function each<T, R>(list: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = [...list];
  const results: R[] = [];
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, queue.length) }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.push(await work(item));
    }),
  );
  return results;
}

/**
 * No hold expires before the provider was asked: what was paid is sold, what is not is cancelled there and given back here. While
 * payments does not answer, the hold stays: late stock is better than money without a ticket. False: payments cannot be had.
 */
async function expire(deps: Reconciling, order: OrderRow): Promise<boolean> {
  const { sales, payments, clock, log } = deps;
  const { orderId, eventId, paymentId } = order;
  const until = order.holdUntil.getTime();
  try {
    if (paymentId) {
      const { status } = await payments.cancel(paymentId);
      if (status === 'succeeded') {
        await sellOrder(deps, order, paymentId);
        return true;
      }
      if (status === 'processing') {
        const at = clock().toISOString();
        await sales.handle(eventId, { type: 'AwaitMoney', orderId, at }, { commandId: `await:${orderId}:${until}` });
        return true;
      }
      if (status !== 'cancelled' && status !== 'refunded') return true; // not closed: it could still be paid
    }
    await sales.handle(
      eventId,
      { type: 'ReleaseHold', orderId, reason: 'expired', at: clock().toISOString() },
      { commandId: `expire:${orderId}:${until}` },
    );
    return true;
  } catch (error) {
    const isAway = isTransient(error);
    log[isAway ? 'warn' : 'error']({ err: error, orderId }, 'a hold could not be settled and stays for now');
    return !isAway;
  }
}

/** A cancelled event gives every buyer their money back. */
const giveBack = (deps: Reconciling, order: OrderRow) =>
  returnTickets(deps, order, 'event-cancelled').catch((error: unknown) =>
    deps.log.warn({ err: error, orderId: order.orderId }, 'tickets of a cancelled event could not be returned yet'),
  );

/** Page after page, so that what cannot be settled does not stand before the rest; ends early while payments is away. */
async function expireAll(deps: Reconciling, batch: number): Promise<number> {
  const now = deps.clock();
  let seen = 0;
  for (let last: OrderRow | undefined; ;) {
    const page: OrderRow[] = await expiredHolds(deps.pool, now, batch, last);
    const settled = await each(page, (order) => expire(deps, order));
    seen += page.length;
    last = page.at(-1);
    if (page.length < batch || !settled.includes(true)) return seen;
  }
}

/** One round: settles what has run out, returns what was cancelled. Answers how many orders it looked at. */
export async function reconcile(deps: Reconciling, batch = BATCH): Promise<number> {
  const expired = await expireAll(deps, batch);
  const cancelled = await ordersToReturn(deps.pool, batch);
  await each(cancelled, (order) => giveBack(deps, order));
  return expired + cancelled.length;
}

/** Rounds every second, by one instance at a time. */
export function startReconciler(deps: Reconciling, everyMs = 1_000): { stop: () => Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();
  const round = async () => {
    try {
      await onlyOne(deps.pool, () => reconcile(deps));
    } catch (error) {
      deps.log.warn({ err: error }, 'a round of the reconciler failed');
    }
    if (!stopped) timer = setTimeout(start, everyMs);
  };
  const start = () => void (running = round());
  timer = setTimeout(start, everyMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const onlyOne = (pool: Pool, work: () => Promise<unknown>) =>
  transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ won: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('reconciler', 2)) as won`,
    );
    if (rows[0]?.won) await work();
  });
