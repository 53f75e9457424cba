import { violation, type LoggedEvent, type Violation } from './evidence.ts';

/** A sale after one event of its log. */
export interface Moment {
  event: LoggedEvent;
  /** The capacity that the organizer set. */
  capacity: number;
  sold: number;
  held: number;
  open: boolean;
}

export interface FoldedOrder {
  orderId: string;
  eventId: number;
  quantity: number;
  /** Prices of the order's tickets, in the order of the tickets. */
  prices: number[];
  status: 'held' | 'released' | 'expired' | 'fulfilled' | 'refunding' | 'returned';
  /** The payment that bought the tickets, or was refunded. */
  paymentId: string | null;
  /** Whether the hold was released because payments was unavailable. */
  unpayable: boolean;
  codes: string[];
  /** Ordinals of the order's returned tickets, from 1. */
  gone: Set<number>;
}

export interface FoldedSale {
  eventId: number;
  moments: Moment[];
  /** False for a sale that was closed before it opened and therefore has no stock. */
  opened: boolean;
  closed: string | null;
  orders: Map<string, FoldedOrder>;
  violations: Violation[];
}

const text = (value: unknown): string => String(value);
const count = (value: unknown): number => Number(value);
/** The price of each ticket of these order lines, in the order of the lines. */
const pricesOf = (lines: unknown): number[] =>
  (lines as Array<{ quantity: number; priceCents: number }>).flatMap(({ quantity, priceCents }) =>
    Array.from({ length: quantity }, () => priceCents),
  );
const sum = (cents: number[]): number => cents.reduce((total, one) => total + one, 0);
/** Total price of an order. `goneCents` is the total price of the order's returned tickets. */
export const paidFor = ({ prices }: FoldedOrder): number => sum(prices);
export const goneCents = ({ prices, gone }: FoldedOrder): number =>
  sum(prices.filter((_price, index) => gone.has(index + 1)));

export function byStream(events: LoggedEvent[]): Map<string, LoggedEvent[]> {
  const streams = new Map<string, LoggedEvent[]>();
  for (const event of events) {
    const stream = streams.get(event.stream);
    if (stream) stream.push(event);
    else streams.set(event.stream, [event]);
  }
  for (const list of streams.values()) list.sort((a, b) => a.version - b.version || a.position - b.position);
  return streams;
}

/** The versions of a stream must be 1, 2, 3, … A gap or a repetition means that two writers appended concurrently. */
export function versionsOf(stream: string, events: LoggedEvent[]): Violation[] {
  const wrong = events.filter(({ version }, index) => version !== (events[index - 1]?.version ?? 0) + 1);
  return wrong.map(({ version, type }) =>
    violation('log', `${stream}: version ${version} (${type}) is twice there or has none before it`),
  );
}

/**
 * Folds a sale and counts independently: `held` is the sum of the open holds, whatever numbers the events contain.
 * Therefore a hold that is used twice makes the sale oversold.
 */
export function foldSale(stream: string, events: LoggedEvent[]): FoldedSale {
  const eventId = Number(stream.slice('sale-'.length));
  const sale: FoldedSale = {
    eventId,
    moments: [],
    opened: false,
    closed: null,
    orders: new Map(),
    violations: versionsOf(stream, events),
  };
  const open = new Map<string, number>();
  /** Orders whose client secret a buyer may have received. */
  const payable = new Set<string>();
  let capacity = 0;
  let sold = 0;
  let held = 0;
  /** Number of tickets that the previous event released and that the same decision may hold again. */
  let replaced = 0;
  const say = (kind: Violation['kind'], what: string) => sale.violations.push(violation(kind, `${stream}: ${what}`));
  const close = (orderId: string): number => {
    const quantity = open.get(orderId) ?? 0;
    open.delete(orderId);
    held -= quantity;
    return quantity;
  };

  for (const event of events) {
    const { type, data } = event;
    const taken = sold + held + replaced;
    replaced = 0;
    const orderId = text(data['orderId']);
    const order = sale.orders.get(orderId);
    switch (type) {
      case 'SaleOpened':
      case 'SaleChanged':
        if (type === 'SaleOpened' && sale.opened) say('duplicate', 'opened twice');
        sale.opened = true;
        sale.closed = null;
        capacity = count(data['capacity']);
        break;
      case 'SaleClosed':
        sale.closed = text(data['reason']);
        break;
      case 'TicketsHeld': {
        const prices = pricesOf(data['lines']);
        const quantity = prices.length;
        if (order) say('duplicate', `order ${orderId} is held twice`);
        open.set(orderId, quantity);
        held += quantity;
        sale.orders.set(orderId, {
          orderId,
          eventId,
          quantity,
          prices,
          status: 'held',
          paymentId: null,
          unpayable: false,
          codes: [],
          gone: new Set(),
        });
        break;
      }
      case 'HoldExtended':
        if (!open.has(orderId)) say('log', `a missing hold is extended (${orderId})`);
        break;
      case 'PaymentAttached':
        if (!open.has(orderId)) say('lost', `a payment is attached to a missing hold (${orderId})`);
        payable.add(orderId);
        break;
      case 'HoldReleased':
        if (data['reason'] === 'payment-unavailable') {
          if (payable.has(orderId))
            say('lost', `order ${orderId} can be paid, and its hold is given back for want of that`);
          if (order) order.unpayable = true;
        }
        if (!open.has(orderId)) say('duplicate', `a missing hold is given back (${orderId})`);
        else if (order) order.status = data['reason'] === 'expired' ? 'expired' : 'released';
        if (data['reason'] === 'replaced') replaced = open.get(orderId) ?? 0;
        close(orderId);
        break;
      case 'TicketsSold': {
        const prices = pricesOf(data['lines']);
        const quantity = prices.length;
        const tickets = data['tickets'] as Array<{ code: string }>;
        if (order?.status === 'fulfilled') say('duplicate', `order ${orderId} is sold twice`);
        const released = close(orderId);
        const fromHold = pricesOf(data['fromHold']).length;
        if (released !== fromHold)
          say('oversold', `order ${orderId} is sold from a hold of ${fromHold}, and ${released} were held`);
        if (tickets.length !== quantity) say('lost', `order ${orderId} of ${quantity} has ${tickets.length} tickets`);
        sold += quantity;
        if (order) {
          if (order.quantity !== quantity) say('log', `order ${orderId} held ${order.quantity} and bought ${quantity}`);
          if (paidFor(order) !== sum(prices))
            say('paidUnsettled', `order ${orderId} was held for ${paidFor(order)} cents and sold for ${sum(prices)}`);
          order.status = 'fulfilled';
          order.paymentId = text(data['paymentId']);
          order.codes = tickets.map(({ code }) => code);
        } else say('log', `order ${orderId} is sold and was never held`);
        break;
      }
      case 'TicketsReturned':
        if (order?.status !== 'fulfilled') say('duplicate', `tickets that were not sold are returned (${orderId})`);
        sold -= (data['tickets'] as unknown[]).length;
        if (order) takeBack(order, data, say);
        break;
      case 'OrderFrozen':
      case 'OrderThawed':
        if (order?.status !== 'fulfilled' && order?.status !== 'returned')
          say('log', `a dispute is of an order that was not sold (${orderId})`);
        break;
      case 'PaymentNotFulfilled':
        // An order with tickets stays fulfilled; the money check reports that it also has a refund.
        if (order && order.status !== 'fulfilled') {
          order.status = 'refunding';
          order.paymentId = text(data['paymentId']);
        }
        break;
      case 'MoneyWithdrawn':
      case 'OrderClaimed':
      case 'LinkRenewed':
        break; // a failed payment, a claim, a new link: no effect on stock
      default:
        say('log', `an event of a kind the checker does not know: ${type}`);
    }
    // The organizer may lower the capacity below the taken tickets. In that case the sale may grant no further tickets.
    if (sold + held > Math.max(capacity, taken))
      say('oversold', `after version ${event.version} (${type}): ${sold} sold + ${held} held > ${capacity}`);
    sale.moments.push({ event, capacity, sold, held, open: sale.opened && sale.closed === null });
  }
  return sale;
}

/** Returns some or all of an order's tickets, each once. */
function takeBack(
  order: FoldedOrder,
  data: LoggedEvent['data'],
  say: (kind: Violation['kind'], what: string) => void,
): void {
  const tickets = data['tickets'] as Array<{ place: number; priceCents: number }>;
  const after = data['order'] as { standing: number; standingCents: number };
  for (const { place, priceCents } of tickets) {
    if (order.gone.has(place) || place > order.quantity)
      say('duplicate', `ticket ${place} of ${order.orderId} is returned twice, or does not exist`);
    else if (priceCents !== order.prices[place - 1])
      say('paidUnsettled', `ticket ${place} of ${order.orderId} comes back for ${priceCents} cents`);
    order.gone.add(place);
  }
  if (count(data['amountCents']) !== sum(tickets.map(({ priceCents }) => priceCents)))
    say(
      'paidUnsettled',
      `${text(data['amountCents'])} cents go back for ${tickets.length} tickets of ${order.orderId}`,
    );
  if (after.standing !== order.quantity - order.gone.size)
    say('log', `${after.standing} tickets of ${order.orderId} are recorded as remaining`);
  if (after.standingCents !== paidFor(order) - goneCents(order))
    say('paidUnsettled', `tickets of ${order.orderId} for ${after.standingCents} cents are recorded as remaining`);
  if (order.gone.size >= order.quantity) order.status = 'returned';
}

export const foldSales = (ticketing: LoggedEvent[]): FoldedSale[] =>
  [...byStream(ticketing)]
    .filter(([stream]) => stream.startsWith('sale-'))
    .map(([stream, events]) => foldSale(stream, events));
