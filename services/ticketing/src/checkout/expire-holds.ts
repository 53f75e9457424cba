import { setTimeout as pause } from 'node:timers/promises';
import { forEach } from '@beltway/kit/for-each';
import { isTransient } from '@beltway/kit/transient';
import { lapsedHolds, type LapsedHold } from '../order/queries.ts';
import { sellOrder, type JobDeps } from './sell.ts';

/**
 * The number of concurrent commands. A sale decides commands in groups, so more concurrent commands make larger groups.
 */
const RELEASED_AT_ONCE = 250;
/** The number of concurrent calls to payments, which respects the provider's limits. */
const CLOSED_AT_ONCE = 32;
const PAGE = 1_000;
/** The interval between polls. A poll also retries holds that failed before. */
const POLL_MS = 10_000;

export const isLapsed = async ({ pool, clock }: JobDeps, withPayment: boolean) =>
  (await lapsedHolds(pool, { withPayment, now: clock(), limit: 1 })).length > 0;

/**
 * Lapsed holds, read page by page, sorted by time and id. Each page starts after the last hold read, so a hold that
 * cannot be settled does not block the others.
 */
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
    // More holds may lapse while the last calls are in progress.
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
 * Releases lapsed holds without a payment. If a payment was attached after a hold was read, the sale keeps this hold.
 */
export const expireHolds = (deps: JobDeps, hasLease = () => true): Promise<void> =>
  forEach(lapsed(deps, false, { goOn: hasLease }), RELEASED_AT_ONCE, (hold) =>
    release(deps, hold).catch((error: unknown) =>
      deps.log.warn({ err: error, orderId: hold.orderId }, 'a hold could not be released and stays for now'),
    ),
  );

/** If the payment succeeded, sells the hold. Otherwise cancels the payment at the provider, then releases the hold. */
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
  // In any other status the payment is still open at the provider and could succeed, so the hold stays.
}

/**
 * Settles lapsed holds with a payment. A hold is released only after the provider confirmed that the payment is closed.
 * While the payments service is down, the hold stays: tickets that return to sale late do less harm than a buyer who paid and gets no ticket.
 */
export async function settleLapsedPayments(deps: JobDeps, hasLease = () => true, limit = PAGE): Promise<void> {
  const over = performance.now() + POLL_MS;
  let underWay = 0;
  let failures = 0;
  // After this many failures in a row, payments is considered down.
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
