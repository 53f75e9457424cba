import { GENERAL, totalCents } from '@beltway/contracts/ticketing/order-lines';
import { randomUUID } from 'node:crypto';
import type { Sales } from '../../services/ticketing/src/sale/stream.ts';
import { uuidV7 } from '../support/uuid.ts';

const PRICE_CENTS = 2_500;
const START = Date.UTC(2026, 0, 1);

/**
 * Of each twenty orders, fourteen are paid (one of the fourteen is refunded), buyers release two, two lapse, one is
 * extended and paid, and one stays open. Each order has one to four tickets. Returns the number of events.
 */
export async function sellSome(sales: Sales, saleId: number, orders: number): Promise<number> {
  let events = 0;
  const handle: Sales['handle'] = async (...args) => {
    const decision = await sales.handle(...args);
    events += decision.events.length;
    return decision;
  };
  const terms = {
    capacity: orders * 4,
    priceCents: PRICE_CENTS,
    organizerId: saleId % 50,
    opensAt: null,
    closesAt: null,
    endsAt: '2100-01-01T00:00:00.000Z',
    catalogVersion: 1,
    refundDeadlineHours: 24,
  };
  await handle(saleId, { type: 'OfferTickets', terms }, { commandId: randomUUID() });

  const buy = async (turn: number) => {
    const orderId = uuidV7();
    const quantity = (turn % 4) + 1;
    const buyerId = turn % 3 === 0 ? null : turn % 5_000;
    const at = new Date(START + turn * 1_000).toISOString();
    const late = new Date(START + turn * 1_000 + 3_600_000).toISOString();
    const context = () => ({
      commandId: uuidV7(),
      correlationId: orderId,
      ...(buyerId !== null && { userId: buyerId }),
    });
    await handle(
      saleId,
      { type: 'HoldTickets', orderId, wanted: [{ type: GENERAL.type, quantity }], buyerId, at },
      { ...context(), commandId: orderId, fingerprint: `${saleId} ${quantity}` },
    );
    const outcome = turn % 20;
    if (outcome < 2) await handle(saleId, { type: 'ReleaseHold', orderId, reason: 'given-back', at }, context());
    else if (outcome < 4)
      await handle(saleId, { type: 'ReleaseHold', orderId, reason: 'expired', at: late }, context());
    else if (outcome < 19) {
      if (outcome === 18) await handle(saleId, { type: 'ExtendHold', orderId, at }, context());
      const tickets = Array.from({ length: quantity }, () => ({ id: uuidV7(), code: randomUUID() }));
      const lines = [{ ...GENERAL, quantity, priceCents: PRICE_CENTS }];
      const payment = { paymentId: `pi_${orderId}`, paidCents: totalCents(lines), lines, buyerId, at, tickets };
      await handle(saleId, { type: 'SellTickets', orderId, ...payment }, context());
      if (outcome === 10) {
        const asked = { refundId: randomUUID() };
        const given = { orderId, lines, paymentId: payment.paymentId, reason: 'canceled-by-buyer' as const, asked };
        await handle(saleId, { type: 'ReturnTickets', ...given }, context());
      }
    }
  };
  let next = 0;
  const buyers = Math.min(orders, 64);
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      for (let turn = next++; turn < orders; turn = next++) await buy(turn);
    }),
  );
  return events;
}

/**
 * Creates sales of very different sizes, eight concurrently, until the log has `wanted` events. Returns the number of
 * events.
 */
export async function makeHistory(sales: Sales, wanted: number): Promise<number> {
  const sizes = [30, 120, 400, 60, 2_000, 250, 90, 800];
  let saleId = 0;
  let planned = 0;
  let events = 0;
  const maker = async () => {
    while (planned < wanted) {
      const id = ++saleId;
      const orders = sizes[id % sizes.length]!;
      // About 1.9 events per order, and one for the sale.
      planned += Math.floor(orders * 1.9) + 1;
      const made = await sellSome(sales, id, orders);
      events += made;
    }
  };
  await Promise.all(Array.from({ length: 8 }, maker));
  return events;
}
