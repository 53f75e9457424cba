import { violation, type Evidence, type Violation } from './evidence.ts';
import { byStream, goneCents, paidFor, versionsOf, type FoldedSale } from './fold.ts';

/** Checks that each buyer who paid has either tickets or the money back, and that all ledgers agree. */
export function checkMoney({ payments, catalog, bank, rows }: Evidence, sales: FoldedSale[]): Violation[] {
  const orders = new Map(sales.flatMap((sale) => [...sale.orders]));
  const streamsWith = (type: string) =>
    new Set(payments.flatMap((event) => (event.type === type ? [event.stream] : [])));
  const fulfilled = streamsWith('PaymentFulfilled');
  const refundedLog = streamsWith('PaymentRefunded');
  const partlyLog = streamsWith('PaymentPartlyRefunded');
  const succeededLog = streamsWith('PaymentSucceeded');
  /** Number of promotions that each purchase started. */
  const starts = new Map<unknown, number>();
  for (const { type, data } of catalog)
    if (type === 'PromotionStarted') starts.set(data['promotionId'], (starts.get(data['promotionId']) ?? 0) + 1);
  const scheduled = new Map<unknown, number>();
  for (const { type, data } of catalog)
    if (type === 'LivestreamScheduled')
      scheduled.set(data['promotionId'], (scheduled.get(data['promotionId']) ?? 0) + 1);
  /** Number of ads that each payment created. The name of an ad's stream contains the payment's id. */
  const ads = new Map<string, number>();
  for (const { type, stream } of catalog)
    if (type === 'AdBought') ads.set(stream.replace(/^ad-/, ''), (ads.get(stream.replace(/^ad-/, '')) ?? 0) + 1);
  const returned = new Set(
    catalog.flatMap(({ type, data }) => (type === 'PromotionReturned' ? [data['promotionId']] : [])),
  );
  const found: Violation[] = [...byStream(payments)].flatMap(([stream, events]) => versionsOf(stream, events));

  for (const { paymentId, orderId, purpose, received, refunded } of bank) {
    const say = (kind: Violation['kind'], what: string) =>
      found.push(violation(kind, `payment ${paymentId} of order ${orderId} ${what}`));
    const stream = `payment-${orderId}`;
    if (received === 0) continue;
    if (purpose === 'promotion' || purpose === 'livestream') {
      const started = starts.get(orderId) ?? 0;
      const isBack = refunded === received;
      const streams = scheduled.get(orderId) ?? 0;
      if (streams !== (purpose === 'livestream' ? started : 0)) say('paidUnsettled', `has ${streams} live streams`);
      if (started > 1) say('duplicate', `started ${started} promotions`);
      // Whether the promotion's event was canceled before the promotion ended.
      const isReturned = returned.has(orderId);
      if (isReturned && !isBack) say('paidUnsettled', `was returned and has ${refunded} of ${received} back`);
      if (started > 0 && refunded > 0 && !isReturned) say('paidUnsettled', 'has its promotion and its money back');
      if (started === 0 && !isBack) say('paidUnsettled', `has no promotion and ${refunded} of ${received} back`);
      if (!succeededLog.has(stream)) say('lost', 'was paid, but payments has no record of it');
      if (started > 0 && !fulfilled.has(stream)) say('lost', 'has its promotion, but payments has no record of it');
      if (refunded > 0 !== refundedLog.has(stream)) say('ledger', 'is refunded in one book and not in the other');
      continue;
    }
    if (purpose === 'ad') {
      const made = ads.get(orderId) ?? 0;
      if (made > 1) say('duplicate', `made ${made} ads`);
      if (made > 0 && refunded > 0) say('paidUnsettled', 'has its ad and its money back');
      if (made === 0 && refunded < received) say('paidUnsettled', `has no ad and ${refunded} of ${received} back`);
      if (!succeededLog.has(stream)) say('lost', 'was paid, but payments has no record of it');
      if (made > 0 && !fulfilled.has(stream)) say('lost', 'has its ad, but payments has no record of it');
      continue;
    }
    const order = orders.get(orderId);
    const hasTickets = order?.status === 'fulfilled';
    if (order && paidFor(order) !== received) say('paidUnsettled', `took ${received} for tickets of ${paidFor(order)}`);
    const owed = order && hasTickets ? goneCents(order) : 0;
    if (hasTickets && owed === 0 && refunded > 0) say('paidUnsettled', 'has its tickets and its money back');
    else if (hasTickets && refunded !== owed)
      say('paidUnsettled', `has ${order.gone.size} tickets fewer, and ${refunded} of ${owed} back for them`);
    if (!hasTickets && refunded < received)
      say('paidUnsettled', `has no tickets (${order?.status ?? 'no order'}) and ${refunded} of ${received} back`);
    if (!succeededLog.has(stream)) say('lost', 'was paid, but payments has no record of it');
    if (hasTickets && !fulfilled.has(stream)) say('lost', 'has its tickets, but payments has no record of it');
    if (refunded > 0 && !refundedLog.has(stream) && !partlyLog.has(stream))
      say('ledger', 'has its money back, and payments does not know');
    if (refunded < received && refundedLog.has(stream))
      say('ledger', 'is booked as refunded, and the provider still has the money');
  }
  return [...found, ...checkShares(payments, rows.ledger, bank), ...checkLedger(rows.ledger, bank)];
}

/** The platform's fee: 5 % of the payment, rounded, less the same share of a refund. */
const feeOf = (received: number, refunded: number): number => {
  const fee = Math.round(received * 0.05);
  return fee - Math.round((fee * refunded) / received);
};

/**
 * Checks that each organizer's account matches the ledger. Once the account is ready, it must contain exactly the
 * earnings.
 */
function checkShares(
  payments: Evidence['payments'],
  ledger: Evidence['rows']['ledger'],
  bank: Evidence['bank'],
): Violation[] {
  const moved = new Map<string, number>();
  for (const { paymentId, account, cents } of ledger)
    if (account === 'provider:transfers') moved.set(paymentId, (moved.get(paymentId) ?? 0) - cents);
  const paidOrders = new Set(bank.flatMap(({ orderId, received }) => (received > 0 ? [orderId] : [])));
  const isReady = payments.findLast(({ type }) => type === 'AccountChanged')?.data['state'] === 'ready';
  return bank.flatMap(({ paymentId, orderId, purpose = 'tickets', received, refunded, transferred }) => {
    const say = (kind: Violation['kind'], what: string) =>
      violation(kind, `payment ${paymentId} of order ${orderId} has ${transferred} cents with its organizer, ${what}`);
    // Transfers belong to an order. If a killed process left a second, unpaid intent behind, that intent has no
    // transfer.
    if (received === 0 && paidOrders.has(orderId)) return [];
    const booked = moved.get(orderId) ?? 0;
    const earned = purpose !== 'tickets' || received === 0 ? 0 : received - refunded - feeOf(received, refunded);
    return [
      ...(booked === transferred ? [] : [say('ledger', `who by the ledger has ${booked}`)]),
      ...(isReady && transferred !== earned ? [say('paidUnsettled', `who has earned ${earned}`)] : []),
    ];
  });
}

/**
 * Checks double entry: the legs of each event sum to zero, and the platform's balance in the ledger matches the
 * provider's.
 */
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
