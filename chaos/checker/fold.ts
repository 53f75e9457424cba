import { violation, type LoggedEvent, type Violation } from './evidence.ts';

/** A sale after one event of its log. */
export interface Moment {
  event: LoggedEvent;
  /** What the organizer asked for. */
  capacity: number;
  sold: number;
  held: number;
  open: boolean;
}

export interface FoldedOrder {
  orderId: string;
  eventId: number;
  quantity: number;
  /** What each of its tickets costs, by their places. */
  prices: number[];
  status: 'held' | 'released' | 'expired' | 'fulfilled' | 'refunding' | 'returned';
  /** The one that bought the tickets, or has its money back. */
  paymentId: string | null;
  /** The hold was given back because payments could not be had. */
  unpayable: boolean;
  codes: string[];
  /** Its tickets that were returned, by their places, from 1 on. */
  gone: Set<number>;
}

export interface FoldedSale {
  eventId: number;
  moments: Moment[];
  /** False for a sale that was closed before it opened: it has no stock. */
  opened: boolean;
  closed: string | null;
  orders: Map<string, FoldedOrder>;
  violations: Violation[];
}

const text = (value: unknown): string => String(value);
const count = (value: unknown): number => Number(value);
/** The price of each ticket of these lines, in their order. */
const pricesOf = (lines: unknown): number[] =>
  (lines as Array<{ quantity: number; priceCents: number }>).flatMap(({ quantity, priceCents }) =>
    Array.from({ length: quantity }, () => priceCents),
  );
const sum = (cents: number[]): number => cents.reduce((total, one) => total + one, 0);
/** What an order cost, and what its tickets cost that were returned. */
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

/** Versions of a stream are 1, 2, 3, …: one more or less, and two writers did not know of each other. */
export function versionsOf(stream: string, events: LoggedEvent[]): Violation[] {
  const wrong = events.filter(({ version }, index) => version !== (events[index - 1]?.version ?? 0) + 1);
  return wrong.map(({ version, type }) =>
    violation('log', `${stream}: version ${version} (${type}) is twice there or has none before it`),
  );
}

/**
 * Folds a sale by its own counting: what is held is the sum of the open holds, whatever an event says of itself. So a hold that
 * is used twice shows as stock that was never there.
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
  /** Orders of which a client secret may have been answered. */
  const payable = new Set<string>();
  let capacity = 0;
  let sold = 0;
  let held = 0;
  /** Tickets that the event before released, to be held again in the same decision. */
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
        if (!open.has(orderId)) say('log', `a hold is extended that is not there (${orderId})`);
        break;
      case 'PaymentAttached':
        if (!open.has(orderId)) say('lost', `a payment is attached to a hold that is not there (${orderId})`);
        payable.add(orderId);
        break;
      case 'HoldReleased':
        if (data['reason'] === 'payment-unavailable') {
          if (payable.has(orderId))
            say('lost', `order ${orderId} can be paid, and its hold is given back for want of that`);
          if (order) order.unpayable = true;
        }
        if (!open.has(orderId)) say('duplicate', `a hold is given back that is not there (${orderId})`);
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
        if (order?.status !== 'fulfilled') say('duplicate', `tickets come back that nobody has (${orderId})`);
        sold -= (data['tickets'] as unknown[]).length;
        if (order) takeBack(order, data, say);
        break;
      case 'OrderFrozen':
      case 'OrderThawed':
        if (order?.status !== 'fulfilled' && order?.status !== 'returned')
          say('log', `a dispute is of an order that was not sold (${orderId})`);
        break;
      case 'PaymentNotFulfilled':
        // An order that has its tickets stays fulfilled, and the money check shows that it got both.
        if (order && order.status !== 'fulfilled') {
          order.status = 'refunding';
          order.paymentId = text(data['paymentId']);
        }
        break;
      case 'MoneyWithdrawn':
      case 'OrderClaimed':
      case 'LinkRenewed':
        break; // a payment that will buy nothing, whose an order is, who may see it: no stock
      default:
        say('log', `an event of a kind the checker does not know: ${type}`);
    }
    // The organizer may ask for fewer than are taken: then nothing more may be granted.
    if (sold + held > Math.max(capacity, taken))
      say('oversold', `after version ${event.version} (${type}): ${sold} sold + ${held} held > ${capacity}`);
    sale.moments.push({ event, capacity, sold, held, open: sale.opened && sale.closed === null });
  }
  return sale;
}

/** Some of an order's tickets come back, or all: each once. */
function takeBack(
  order: FoldedOrder,
  data: LoggedEvent['data'],
  say: (kind: Violation['kind'], what: string) => void,
): void {
  const tickets = data['tickets'] as Array<{ place: number; priceCents: number }>;
  const after = data['order'] as { standing: number; standingCents: number };
  for (const { place, priceCents } of tickets) {
    if (order.gone.has(place) || place > order.quantity)
      say('duplicate', `ticket ${place} of ${order.orderId} comes back twice, or was never there`);
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
    say('log', `${after.standing} tickets of ${order.orderId} are said to stand`);
  if (after.standingCents !== paidFor(order) - goneCents(order))
    say('paidUnsettled', `tickets of ${order.orderId} for ${after.standingCents} cents are said to stand`);
  if (order.gone.size >= order.quantity) order.status = 'returned';
}

export const foldSales = (ticketing: LoggedEvent[]): FoldedSale[] =>
  [...byStream(ticketing)]
    .filter(([stream]) => stream.startsWith('sale-'))
    .map(([stream, events]) => foldSale(stream, events));
