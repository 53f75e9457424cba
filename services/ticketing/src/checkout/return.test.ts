import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from '@beltway/contracts/testing/lines';
import { sale } from '../sale/decider.ts';
import type { SaleCommand } from '../sale/command.ts';
import type { SaleEvent } from '../sale/events.ts';
import { totals } from '../sale/stock.ts';
import type { Sales } from '../sale/stream.ts';
import type { OrderRow } from '../order/queries.ts';
import { returnTickets } from './return.ts';
import { sellOrder } from './sell.ts';
import { withdrawMoney } from './return.ts';

const ORDER = '6f1c1d9e-7d3b-4a55-9d0b-1c6a4a0f7a11';
const PAYMENT = 'pi_1';
const PAID = { paymentId: PAYMENT, amountCents: 5000 };
const NOON = '2026-06-01T16:00:00.000Z';
const clock = () => new Date(NOON);
const facts = { orderId: ORDER, eventId: 42, lines: linesOf(2), buyerId: null };

/** A sale with one payable hold. `moment` schedules its commands and reads. */
function aSale(moment: <T>(what: string, now: () => T) => Promise<T>) {
  const terms = {
    ...{ capacity: 10, priceCents: 2500, organizerId: 7, opensAt: null, closesAt: null },
    ...{ endsAt: '2026-12-01T00:00:00.000Z', catalogVersion: 1, refundDeadlineHours: 24 },
  };
  const log: SaleEvent[] = [];
  const decided = new Map<string, SaleEvent[]>();
  let state = sale.initial();
  const append = (events: SaleEvent[]) => {
    for (const event of events) state = sale.evolve(state, event);
    log.push(...events);
    return events;
  };
  append(sale.decide({ type: 'OfferTickets', terms }, state));
  append(
    sale.decide(
      { type: 'HoldTickets', orderId: ORDER, wanted: [{ type: 'general', quantity: 2 }], buyerId: null, at: NOON },
      state,
    ),
  );
  append(sale.decide({ type: 'AttachPayment', orderId: ORDER, paymentId: PAYMENT, at: NOON }, state));

  // Like the store: a repeated command id returns the events that it appended.
  const handle = (_id: unknown, command: SaleCommand, { commandId }: { commandId: string }) =>
    moment(command.type, () => {
      const known = decided.get(commandId);
      if (known) return { events: known };
      const events = append(sale.decide(command, state));
      if (events.length > 0) decided.set(commandId, events);
      return { events };
    });
  const orderNow = (): OrderRow => {
    const has = (type: SaleEvent['type']) => log.some((event) => event.type === type);
    const isRefunding = has('TicketsReturned') || has('PaymentNotFulfilled');
    const status = isRefunding
      ? 'refunding'
      : has('TicketsSold')
        ? 'fulfilled'
        : has('HoldReleased')
          ? 'released'
          : 'held';
    return { ...facts, status, paymentId: PAYMENT } as OrderRow;
  };
  return {
    sales: { handle } as unknown as Sales,
    find: () => moment('read', orderNow),
    orderNow,
    log,
    state: () => ({ ...totals(state.stock), holds: state.holds }),
  };
}

const count = (log: SaleEvent[], type: SaleEvent['type']) => log.filter((event) => event.type === type).length;

test('if a payment is withdrawn while its order is being sold, no valid tickets remain, in any order of events and with repeated reports', async () => {
  let soldFirst = 0;
  let withdrawnFirst = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      async (scheduler, deliveries, twoRoads) => {
        const { sales, find, log, state } = aSale((what, now) => scheduler.schedule(Promise.resolve(), what).then(now));
        const withdrawal = { orderId: ORDER, eventId: 42, paymentId: PAYMENT };
        const selling = { sales, ticketSecret: 'secret-of-the-test', clock };
        const work = [
          sellOrder(selling, facts, PAID),
          ...(twoRoads ? [sellOrder(selling, facts, PAID)] : []),
          ...Array.from({ length: deliveries }, () => withdrawMoney({ sales, find }, withdrawal, {})),
        ];
        await scheduler.waitFor(Promise.all(work));
        const assertUndone = () => {
          const sold = count(log, 'TicketsSold');
          expect(count(log, 'TicketsReturned')).toBe(sold);
          expect(sold + count(log, 'PaymentNotFulfilled')).toBe(1);
          expect(count(log, 'MoneyWithdrawn')).toBeLessThanOrEqual(1);
          expect(state()).toMatchObject({ sold: 0, held: 0 });
          expect(state().holds.size).toBe(0);
          return sold > 0;
        };
        if (assertUndone()) soldFirst++;
        else withdrawnFirst++;
        // The message is delivered again much later.
        const before = log.length;
        await scheduler.waitFor(withdrawMoney({ sales, find }, withdrawal, {}));
        assertUndone();
        expect(log.slice(before).filter(({ type }) => type !== 'MoneyWithdrawn')).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
  // Both sequences of events must occur, otherwise the test proves nothing.
  expect(soldFirst).toBeGreaterThan(0);
  expect(withdrawnFirst).toBeGreaterThan(0);
});

test('if a dispute is lost while its order is being sold, the tickets are void or there are none, in any order of events', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), async (scheduler, deliveries) => {
      const { sales, find, log, state } = aSale((what, now) => scheduler.schedule(Promise.resolve(), what).then(now));
      const lost = { orderId: ORDER, eventId: 42, paymentId: PAYMENT, lostDispute: 'dp_1' };
      await scheduler.waitFor(
        Promise.all([
          sellOrder({ sales, ticketSecret: 'secret-of-the-test', clock }, facts, PAID),
          ...Array.from({ length: deliveries }, () => withdrawMoney({ sales, find }, lost, {})),
        ]),
      );
      expect(count(log, 'OrderVoided')).toBe(count(log, 'TicketsSold'));
      expect(count(log, 'TicketsSold') + count(log, 'PaymentNotFulfilled')).toBe(1);
      expect(count(log, 'TicketsReturned')).toBe(0);
      expect(state()).toMatchObject({ sold: 2 * count(log, 'TicketsSold'), held: 0 });
      seen.add(count(log, 'TicketsSold') > 0 ? 'sold first' : 'lost first');
    }),
    { numRuns: 300 },
  );
  expect([...seen].sort()).toEqual(['lost first', 'sold first']);
});

test('if the event is canceled in between, the tickets are still returned only once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { sales, find, orderNow, log, state } = aSale((what, now) =>
        scheduler.schedule(Promise.resolve(), what).then(now),
      );
      const work = [
        sellOrder({ sales, ticketSecret: 'secret-of-the-test', clock }, facts, PAID),
        withdrawMoney({ sales, find }, { orderId: ORDER, eventId: 42, paymentId: PAYMENT }, {}),
        sales.handle(42, { type: 'CloseSale', reason: 'canceled', catalogVersion: 2 }, { commandId: 'cancel' }),
      ];
      await scheduler.waitFor(Promise.all(work));
      // Runs the job that returns orders of a canceled event.
      if (orderNow().status === 'fulfilled')
        await scheduler.waitFor(returnTickets({ sales }, orderNow(), 'event-canceled'));
      expect(count(log, 'TicketsReturned')).toBe(count(log, 'TicketsSold'));
      expect(state()).toMatchObject({ sold: 0, held: 0 });
    }),
    { numRuns: 100 },
  );
});
