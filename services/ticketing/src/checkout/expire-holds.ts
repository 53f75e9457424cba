import { setTimeout as pause } from 'node:timers/promises';
import { forEach } from '@beltway/kit/for-each';
import { isTransient } from '@beltway/kit/transient';
import { lapsedHolds, type LapsedHold } from '../order/queries.ts';
import { sellOrder, type JobDeps } from './sell.ts';

/** Commands of a sale are decided in groups: the more at a time, the larger those. */
const RELEASED_AT_ONCE = 250;
/** Concurrent calls to payments, which itself keeps to its provider's limits. */
const CLOSED_AT_ONCE = 32;
const PAGE = 1_000;
/** After this long the next poll begins, and tries again what failed. */
const POLL_MS = 10_000;

export const isLapsed = async ({ pool, clock }: JobDeps, withPayment: boolean) =>
  (await lapsedHolds(pool, { withPayment, now: clock(), limit: 1 })).length > 0;

/** Page after page by time and id: what cannot be settled does not stand before the rest. */
async function* lapsed(
  { pool, clock }: JobDeps,
  withPayment: boolean,
  { goOn, isBusy = () => false, limit = PAGE }: { goOn: () => boolean; isBusy?: () => boolean; limit?: number },
): AsyncGenerator<LapsedHold> {
  for (let after: LapsedHold | undefined; ;) {
    const page = await lapsedHolds(pool, { withPayment, now: clock(), limit, after });
    for (const hold of page) {
      if (!goOn()) return;
      yield hold;
      after = hold;
    }
    if (page.length > 0) continue;
    if (!isBusy() || !goOn()) return;
    // While the last calls are under way, more holds lapse.
    await pause(100);
  }
}

const release = ({ sales, clock }: JobDeps, { orderId, eventId, holdUntil }: LapsedHold, closedPaymentId?: string) =>
  sales.handle(
    eventId,
    {
      type: 'ReleaseHold',
      orderId,
      reason: 'expired',
      at: clock().toISOString(),
      ...(closedPaymentId !== undefined && { closedPaymentId }),
    },
    { commandId: `expire:${orderId}:${holdUntil.getTime()}` },
  );

/**
 * Holds that nobody can have paid for go by themselves. The sale keeps one whose payment was attached since it was
 * looked at.
 */
export const expireHolds = (deps: JobDeps, hasLease = () => true): Promise<void> =>
  forEach(lapsed(deps, false, { goOn: hasLease }), RELEASED_AT_ONCE, (hold) =>
    release(deps, hold).catch((error: unknown) =>
      deps.log.warn({ err: error, orderId: hold.orderId }, 'a hold could not be released and stays for now'),
    ),
  );

/** What was paid is sold; what is not is closed at the provider, and then released. */
async function settle(deps: JobDeps, hold: LapsedHold, paymentId: string): Promise<void> {
  const { sales, payments, clock } = deps;
  const { orderId, eventId, holdUntil } = hold;
  const payment = await payments.cancel(paymentId);
  const { status } = payment;
  if (status === 'succeeded') await sellOrder(deps, hold, payment);
  else if (status === 'processing')
    await sales.handle(
      eventId,
      { type: 'AwaitMoney', orderId, at: clock().toISOString() },
      { commandId: `await:${orderId}:${holdUntil.getTime()}` },
    );
  else if (status === 'canceled' || status === 'refunded') await release(deps, hold, paymentId);
  // Else it was not closed, and could still be paid.
}

/**
 * No hold with a payment expires before the provider was asked. While payments does not answer, the hold stays: late
 * stock is better than money without a ticket.
 */
export async function settleLapsedPayments(deps: JobDeps, hasLease = () => true, limit = PAGE): Promise<void> {
  const over = performance.now() + POLL_MS;
  let underWay = 0;
  let failures = 0;
  // So many failures in a row: payments does not answer.
  const goOn = () => hasLease() && performance.now() < over && failures < CLOSED_AT_ONCE;
  await forEach(lapsed(deps, true, { goOn, isBusy: () => underWay > 0, limit }), CLOSED_AT_ONCE, async (hold) => {
    underWay++;
    try {
      if (hold.paymentId) await settle(deps, hold, hold.paymentId);
      failures = 0;
    } catch (error) {
      const isAway = isTransient(error);
      failures = isAway ? failures + 1 : 0;
      deps.log[isAway ? 'warn' : 'error'](
        { err: error, orderId: hold.orderId },
        'a hold could not be settled and stays for now',
      );
    } finally {
      underWay--;
    }
  });
}
