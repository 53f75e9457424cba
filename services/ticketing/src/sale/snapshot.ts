import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import { count, type Buyer, type Hold, type Sale } from './decider.ts';

/**
 * Consecutive orders with equal holds, which differ only in buyers and payments. Under load there are hundreds of such
 * orders. A list that contains only nulls is left out.
 */
interface Run {
  hold: Omit<Hold, 'buyer' | 'paymentId'>;
  orders: string[];
  buyers?: Array<Buyer | null>;
  payments?: Array<string | null>;
}

const sameLine = (a: OrderLine, b: OrderLine | undefined) =>
  a.type === b?.type && a.name === b.name && a.quantity === b.quantity && a.priceCents === b.priceCents;

const sameHold = (a: Run['hold'], b: Run['hold']) =>
  a.at === b.at &&
  a.until === b.until &&
  a.extended === b.extended &&
  a.declined === b.declined &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, index) => sameLine(line, b.lines[index]));

const listed = <T>(list: T[]): T[] | undefined => (list.some((one) => one !== null) ? list : undefined);

function runsOf(holds: Sale['holds']): Run[] {
  const runs: Array<Required<Run>> = [];
  for (const [orderId, hold] of holds) {
    let run = runs.at(-1);
    if (!run || !sameHold(run.hold, hold)) {
      const { buyer: _buyer, paymentId: _paymentId, ...common } = hold;
      runs.push((run = { hold: common, orders: [], buyers: [], payments: [] }));
    }
    run.orders.push(orderId);
    run.buyers.push(hold.buyer);
    run.payments.push(hold.paymentId);
  }
  return runs.map(({ hold, orders, buyers, payments }) => {
    const [whose, paid] = [listed(buyers), listed(payments)];
    return { hold, orders, ...(whose && { buyers: whose }), ...(paid && { payments: paid }) };
  });
}

/** The snapshot format of the state. Raise `shape` when the type `Sale` changes. */
export const saleSnapshot = {
  shape: 8,
  write: ({ stock, holds, withdrawn, returned, disputes, buyers: _counted, ...state }: Sale) => ({
    ...state,
    stock: [...stock],
    holds: runsOf(holds),
    withdrawn: [...withdrawn],
    returned: [...returned],
    disputes: [...disputes].map(([orderId, of]) => [orderId, [...of]] as const),
  }),
  read: (json: unknown): Sale => {
    const { stock, holds, withdrawn, returned, disputes, ...stored } = json as ReturnType<typeof saleSnapshot.write>;
    const state: Sale = {
      ...stored,
      stock: new Map(stock),
      holds: new Map(),
      withdrawn: new Set(withdrawn),
      returned: new Map(returned),
      disputes: new Map(disputes.map(([orderId, of]) => [orderId, new Map(of)])),
      buyers: new Map(),
    };
    for (const { hold: common, orders, buyers, payments } of holds)
      for (const [index, orderId] of orders.entries()) {
        const hold = { ...common, buyer: buyers?.[index] ?? null, paymentId: payments?.[index] ?? null };
        state.holds.set(orderId, hold);
        count(state.buyers, hold, 1);
      }
    return state;
  },
};
