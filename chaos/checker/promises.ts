import { violation, type ClientCall, type Evidence, type LoggedEvent, type Violation } from './evidence.ts';
import type { FoldedOrder, FoldedSale } from './fold.ts';
import { STOCK_REFUSALS } from './refusals.ts';

const has = (events: LoggedEvent[], type: string, fits: (data: Record<string, unknown>) => boolean): boolean =>
  events.some((event) => event.type === type && fits(event.data));

/** Lost: the log lacks something that a response promised to a client. */
export function checkPromises({ ticketing, payments, client, bank }: Evidence, sales: FoldedSale[]): Violation[] {
  const orders = new Map(sales.flatMap((sale) => [...sale.orders]));
  const streams = new Map(
    sales.map((sale) => [sale.eventId, ticketing.filter(({ stream }) => stream === `sale-${sale.eventId}`)]),
  );
  const requested = new Set(
    payments.flatMap(({ type, stream, data }) =>
      type === 'PaymentRequested' ? [`${stream} ${data['paymentId']}`] : [],
    ),
  );
  const succeeded = new Set(
    payments.flatMap(({ type, data }) => (type === 'PaymentSucceeded' ? [data['paymentId']] : [])),
  );
  const asked = new Set(payments.flatMap(({ type, data }) => (type === 'PaymentRequested' ? [data['paymentId']] : [])));
  const paid = new Map(bank.map((payment) => [payment.paymentId, payment]));

  const missing = (call: ClientCall): string | undefined => {
    const { eventId = 0, orderId = '', paymentId = '', quantity, capacity } = call;
    const order = orders.get(orderId);
    const log = streams.get(eventId) ?? [];
    switch (call.call) {
      case 'open-sale':
        return has(log, 'SaleOpened', (data) => data['capacity'] === capacity)
          ? undefined
          : 'the sale was never opened';
      case 'change-sale':
        return has(log, 'SaleChanged', (data) => data['capacity'] === capacity)
          ? undefined
          : 'the stock was never changed';
      case 'cancel-sale':
        return has(log, 'SaleClosed', (data) => data['reason'] === 'canceled')
          ? undefined
          : 'the sale was never closed';
      case 'hold':
        return order?.quantity === quantity && order?.eventId === eventId ? undefined : 'the hold is not in the log';
      case 'intent':
        if (order?.quantity !== quantity) return 'the hold is not in the log';
        if (!requested.has(`payment-${orderId} ${paymentId}`)) return 'payments does not know the payment';
        return has(log, 'PaymentAttached', (data) => data['orderId'] === orderId && data['paymentId'] === paymentId)
          ? undefined
          : 'the payment was never attached to the hold';
      case 'confirm':
        if (call.result !== 'succeeded') return undefined;
        if (paid.get(paymentId)?.status !== 'succeeded') return 'the provider does not know that it was paid';
        return succeeded.has(paymentId) ? undefined : 'payments has no record that it was paid';
      case 'promote':
        return asked.has(paymentId) ? undefined : 'payments does not know the payment of the promotion';
      case 'advertise':
        return asked.has(paymentId) ? undefined : 'payments does not know the payment of the ad';
      case 'confirm-promotion':
        return call.result === 'processing' || succeeded.has(paymentId)
          ? undefined
          : 'payments has no record that the promotion was paid';
      case 'process':
      case 'look':
        return order && kept(call, order);
      case 'extend':
        return has(log, 'HoldExtended', (data) => data['orderId'] === orderId && data['reason'] === 'asked')
          ? undefined
          : 'the hold was never extended';
      case 'give-back':
        return order?.status === 'held' ? 'the hold is still there' : undefined;
      case 'refund':
        return (order?.gone.size ?? 0) >= (quantity ?? 0) ? undefined : 'the tickets were never returned';
      case 'join':
      case 'erase': // `checkPeople`
      case 'forge': // `checkRefused`
      case 'rest':
        return undefined;
    }
  };
  return client.flatMap((call) => {
    const what = call.outcome === 'acknowledged' ? missing(call) : undefined;
    return what === undefined
      ? []
      : [violation('lost', `call ${call.n} (${call.call} ${call.orderId ?? call.eventId}): ${what}`)];
  });
}

/** After the buyer's response, an order may have moved to a later status, but never back to an earlier status. */
function kept({ result, codes }: ClientCall, order: FoldedOrder): string | undefined {
  if (codes && codes.length > 0 && codes.join() !== order.codes.join()) return 'the buyer was shown other tickets';
  if (result === 'fulfilled' && order.status !== 'fulfilled' && order.status !== 'returned')
    return `reported as fulfilled, but is ${order.status}`;
  if ((result === 'refunding' || result === 'refunded') && order.status !== 'refunding' && order.status !== 'returned')
    return `reported as refunded, but is ${order.status}`;
  return undefined;
}

/**
 * Refused but sold: a refused hold that is in the log, tickets without a payment, a charge after only declines, or a
 * forged webhook that was accepted.
 */
export function checkRefused({ ticketing, client, bank }: Evidence, sales: FoldedSale[]): Violation[] {
  const refused = new Map(
    client
      .filter(
        ({ outcome, code, requestId }) => outcome === 'refused' && requestId && STOCK_REFUSALS.includes(code ?? ''),
      )
      .map((call) => [call.requestId, call]),
  );
  const held = ticketing.flatMap(({ type, correlationId, data }) => {
    const call = type === 'TicketsHeld' ? refused.get(correlationId) : undefined;
    return call
      ? [
          violation(
            'refusedButSold',
            `call ${call.n} was refused (${call.code}) and made order ${String(data['orderId'])}`,
          ),
        ]
      : [];
  });

  const paid = new Set(bank.filter(({ received }) => received > 0).map(({ paymentId }) => paymentId));
  const unpaid = sales
    .flatMap((sale) => [...sale.orders.values()])
    .filter(({ status, paymentId }) => (status === 'fulfilled' || status === 'returned') && !paid.has(paymentId ?? ''))
    .map(({ orderId }) => violation('refusedButSold', `order ${orderId} has tickets and was never paid`));

  const confirms = new Map<string, ClientCall[]>();
  for (const call of client)
    if (call.call === 'confirm')
      confirms.set(call.paymentId ?? '', [...(confirms.get(call.paymentId ?? '') ?? []), call]);
  const declined = [...confirms]
    .filter(([paymentId, calls]) => paid.has(paymentId) && calls.every(({ outcome }) => outcome === 'refused'))
    .map(([paymentId]) => violation('refusedButSold', `every card for ${paymentId} was declined, and it was charged`));
  const forged = client
    .filter(({ call, outcome }) => call === 'forge' && outcome === 'acknowledged')
    .map(({ n, paymentId }) =>
      violation('refusedButSold', `call ${n}: a webhook for ${paymentId} was taken, and the provider never sent it`),
    );
  return [...held, ...unpaid, ...declined, ...forged];
}
