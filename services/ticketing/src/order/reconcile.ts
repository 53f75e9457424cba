import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { isTransient, transaction } from '@beltway/kit/postgres';
import type { Payments } from './payments.ts';
import { expiredHolds, ordersToReturn, type OrderRow } from './queries.ts';
import { sellOrder, type Selling } from './sell.ts';

export interface Reconciling extends Selling {
  payments: Payments;
  log: Logger;
}

const BATCH = 200;
const AT_ONCE = 16;

/** Runs `work` over the list, a few at a time. */
async function each<T>(list: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...list];
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, queue.length) }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/**
 * No hold expires before the provider was asked: what was paid is sold, what is not is cancelled there and given back here. While
 * payments does not answer, the hold stays: late stock is better than money without a ticket.
 */
async function expire(deps: Reconciling, order: OrderRow): Promise<void> {
  const { sales, payments, clock, log } = deps;
  const { orderId, eventId, paymentId } = order;
  try {
    if (paymentId) {
      const { status } = await payments.cancel(paymentId);
      if (status === 'succeeded') {
        await sellOrder(deps, { orderId, paymentId });
        return;
      }
      if (status === 'processing') return; // money may still come; asked again at the next round
    }
    await sales.handle(
      eventId,
      { type: 'ReleaseHold', orderId, reason: 'expired', at: clock().toISOString() },
      { commandId: `expire:${orderId}:${order.holdUntil.getTime()}` },
    );
  } catch (error) {
    log[isTransient(error) ? 'warn' : 'error'](
      { err: error, orderId },
      'a hold could not be settled and stays for now',
    );
  }
}

/** A cancelled event gives every buyer their money back. */
const giveBack = ({ sales, log }: Reconciling, { orderId, eventId, quantity, priceCents, paymentId }: OrderRow) =>
  sales
    .handle(
      eventId,
      {
        type: 'ReturnTickets',
        orderId,
        quantity,
        paymentId: paymentId ?? '',
        amountCents: quantity * priceCents,
        reason: 'event-cancelled',
      },
      { commandId: `return:${orderId}` },
    )
    .catch((error: unknown) =>
      log.warn({ err: error, orderId }, 'tickets of a cancelled event could not be returned yet'),
    );

/** One round: settles what has run out, returns what was cancelled. Answers how many orders it looked at. */
export async function reconcile(deps: Reconciling): Promise<number> {
  const expired = await expiredHolds(deps.pool, deps.clock(), BATCH);
  await each(expired, (order) => expire(deps, order));
  const cancelled = await ordersToReturn(deps.pool, BATCH);
  await each(cancelled, (order) => giveBack(deps, order));
  return expired.length + cancelled.length;
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
