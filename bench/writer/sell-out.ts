import { GENERAL, totalCents } from '@beltway/contracts/ticketing/order-lines';
import { randomUUID } from 'node:crypto';
import type { Store } from '@beltway/event-store';
import type { Sales } from '../../services/ticketing/src/sale/stream.ts';
import { differences } from './check.ts';
import { openSale } from './sales.ts';

const CAPACITY = 20_000;
const BUYERS = 256;

/**
 * Sells all tickets of one sale, in quantities of 1 to 10. Buyers release some holds and pay others. Returns the
 * differences that the check finds afterwards.
 */
export async function sellOut(
  { pool, sales }: Store & { sales: Sales },
  say: (line: string) => void,
): Promise<string[]> {
  const sale = await openSale(sales, CAPACITY);
  let givenBack = 0;
  let paid = 0;
  let sent = 0;

  const after = async (orderId: string, quantity: number, turn: number) => {
    const at = new Date().toISOString();
    const context = { commandId: randomUUID() };
    if (turn % 10 === 0) {
      await sales.handle(sale.id, { type: 'ReleaseHold', orderId, reason: 'given-back', at }, context);
      givenBack += quantity;
    } else if (turn % 3 === 0) {
      const tickets = Array.from({ length: quantity }, () => ({ id: randomUUID(), code: randomUUID() }));
      const lines = [{ ...GENERAL, quantity, priceCents: 2_500 }];
      const payment = { paymentId: `pi_${orderId}`, paidCents: totalCents(lines), lines, buyerId: 7, at, tickets };
      await sales.handle(sale.id, { type: 'SellTickets', orderId, ...payment }, context);
      paid += quantity;
    }
  };
  const buyer = async () => {
    // The last buyers request smaller quantities, until no ticket is left.
    for (let maxQuantity = 10; maxQuantity > 0;) {
      const turn = sent++;
      const quantity = (turn % maxQuantity) + 1;
      const orderId = await sale.hold(quantity);
      if (orderId) await after(orderId, quantity, turn);
      else maxQuantity = quantity - 1;
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, buyer));

  const tickets = [...sale.accepted.values()].reduce((sum, quantity) => sum + quantity, 0);
  const wrong = await differences(pool, sales, sale, givenBack);
  if (tickets - givenBack !== CAPACITY) wrong.push(`${tickets - givenBack} of ${CAPACITY} tickets were taken`);
  say(
    `sold out: ${CAPACITY} tickets, ${paid} of them paid, ${givenBack} given back on the way, ` +
      `${sale.accepted.size} orders, ${sale.refused.length} refusals`,
  );
  return wrong;
}
