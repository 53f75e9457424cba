import { violation, type Evidence, type Violation } from './evidence.ts';
import { byStream, versionsOf, type FoldedSale } from './fold.ts';

/** Whoever paid has tickets or the money, never both and never neither; and all who count the money count the same. */
export function checkMoney({ payments, bank, rows }: Evidence, sales: FoldedSale[]): Violation[] {
  const orders = new Map(sales.flatMap((sale) => [...sale.orders]));
  const streamsWith = (type: string) =>
    new Set(payments.flatMap((event) => (event.type === type ? [event.stream] : [])));
  const fulfilled = streamsWith('PaymentFulfilled');
  const refundedLog = streamsWith('PaymentRefunded');
  const succeededLog = streamsWith('PaymentSucceeded');
  const found: Violation[] = [...byStream(payments)].flatMap(([stream, events]) => versionsOf(stream, events));

  for (const { paymentId, orderId, received, refunded } of bank) {
    const say = (kind: Violation['kind'], what: string) =>
      found.push(violation(kind, `payment ${paymentId} of order ${orderId} ${what}`));
    const stream = `payment-${orderId}`;
    if (received === 0) continue;
    const order = orders.get(orderId);
    const hasTickets = order?.status === 'fulfilled';
    if (order && order.quantity * order.priceCents !== received)
      say('paidUnsettled', `took ${received} for ${order.quantity} × ${order.priceCents}`);
    if (hasTickets && refunded > 0) say('paidUnsettled', 'has its tickets and its money back');
    if (!hasTickets && refunded < received)
      say('paidUnsettled', `has no tickets (${order?.status ?? 'no order'}) and ${refunded} of ${received} back`);
    if (!succeededLog.has(stream)) say('lost', 'was paid, and payments never heard of it');
    if (hasTickets && !fulfilled.has(stream)) say('lost', 'has its tickets, and payments never heard of it');
    if (refunded > 0 && !refundedLog.has(stream)) say('ledger', 'has its money back, and payments does not know');
    if (refunded === 0 && refundedLog.has(stream))
      say('ledger', 'is booked as refunded, and the provider still has the money');
  }
  return [...found, ...checkLedger(rows.ledger, bank)];
}

/** Double entry: the legs of each event sum to zero, and what stands at the provider is what the provider has. */
function checkLedger(ledger: Evidence['rows']['ledger'], bank: Evidence['bank']): Violation[] {
  const sums = new Map<string, number>();
  for (const { paymentId, event, cents } of ledger)
    sums.set(`${paymentId} ${event}`, (sums.get(`${paymentId} ${event}`) ?? 0) + cents);
  const unbalanced = [...sums]
    .filter(([, cents]) => cents !== 0)
    .map(([name, cents]) => violation('ledger', `${name} sums to ${cents}`));
  const booked = ledger.filter(({ account }) => account === 'provider').reduce((sum, { cents }) => sum + cents, 0);
  const there = bank.reduce((sum, { received, refunded }) => sum + received - refunded, 0);
  return booked === there
    ? unbalanced
    : [...unbalanced, violation('ledger', `${booked} cents are booked at the provider, which has ${there}`)];
}
