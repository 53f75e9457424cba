import { eachTicket, ticketCount, totalCents, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { SaleCommand } from './command.ts';
import type { CloseReason, NotFulfilledReason, SaleEvent, Terms } from './events.ts';
import { applyTerms, findShortage, linesOf, release, reserve, restock, sell, type Stock } from './stock.ts';

export interface SaleRules {
  /**
   * How long a hold lasts, in minutes. Decimals are allowed, because tests cannot wait ten minutes until a hold lapses.
   */
  holdMinutes: number;
  /** Maximum open holds of one buyer in one sale. */
  openHolds: number;
  heldTickets: number;
  /** Maximum holds that one command releases when a sale is closed, because all its events are one append. */
  releasedAtOnce: number;
}
export const RULES: SaleRules = { holdMinutes: 10, openHolds: 2, heldTickets: 20, releasedAtOnce: 5_000 };

/**
 * A buyer's account id, or the keyed hash of a guest's key. Never an email address, because anyone can type the email
 * address of someone else.
 */
export type Buyer = number | string;

export interface Hold {
  lines: OrderLine[];
  at: string;
  until: string;
  extended: boolean;
  declined: boolean;
  /** null: a guest without a key. */
  buyer: Buyer | null;
  /** The payment whose client secret may have been returned. */
  paymentId: string | null;
}

export type DisputeState = 'open' | 'lost' | 'won';

/** The part of the sale that decisions need. Sold orders are rows, not state. */
export interface Sale {
  terms: Terms | null;
  closed: CloseReason | null;
  /** The newest version of the event from the catalog. */
  catalogVersion: number;
  stock: Stock;
  holds: Map<string, Hold>;
  /** Payments that were withdrawn before they bought anything. There are few. */
  withdrawn: Set<string>;
  /**
   * For each order with returned tickets, the positions of these tickets, one bit per position. There are few such
   * orders. Orders that a canceled event returns as a whole are left out, because these are all orders of the event.
   */
  returned: Map<string, number>;
  /**
   * For each order with disputes, the state of each dispute, with the provider's id as key. There are few such orders.
   */
  disputes: Map<string, Map<string, DisputeState>>;
  /** Counts for each buyer, so that deciding a hold need not scan all other holds. */
  buyers: Map<Buyer, { holds: number; tickets: number }>;
}

const initial = (): Sale => ({
  terms: null,
  closed: null,
  catalogVersion: 0,
  stock: new Map(),
  holds: new Map(),
  withdrawn: new Set(),
  returned: new Map(),
  disputes: new Map(),
  buyers: new Map(),
});

/** The last computed end of a hold, because all holds of one millisecond end at the same time. */
let sum = { time: '', minutes: 0, end: '' };
function plus(time: string, minutes: number): string {
  if (time !== sum.time || minutes !== sum.minutes)
    sum = { time, minutes, end: new Date(Date.parse(time) + minutes * 60_000).toISOString() };
  return sum.end;
}
const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);

/**
 * The terms of the sale, if its tickets can be sold at this time; otherwise throws. Throws `no-sale` if no message of
 * the catalog about this event has arrived yet.
 */
function onSale({ terms, closed }: Sale, at: string): Terms {
  if (closed === 'postponed') throw new Rejected('event-postponed.sale');
  if (closed === 'suspended') throw new Rejected('event-suspended.sale');
  if (!terms && !closed) throw new Rejected('no-sale');
  if (!terms || closed) throw new Rejected('not-on-sale');
  // The event is over, even if the organizer set a later end of sales.
  if (at >= terms.endsAt) throw new Rejected('event-over');
  if (terms.opensAt && at < terms.opensAt) throw new Rejected('not-on-sale-yet');
  if (terms.closesAt && at >= terms.closesAt) throw new Rejected('sales-ended');
  return terms;
}

/** Throws if the stock is too low. `old`: the hold that the new hold replaces. */
function refuseForStock({ stock }: Sale, lines: OrderLine[], old: Hold | undefined): void {
  const shortage = findShortage(stock, lines, old?.lines);
  if (!shortage) return;
  const { counts, free } = shortage;
  if (counts.sold >= counts.capacity) throw new Rejected('sold-out');
  if (free <= 0) throw new Rejected('all-held');
  throw new Rejected('not-enough-left', { free });
}

/** Throws if the buyer would have too many holds or too many held tickets. */
function refuseForBuyer(sale: Sale, rules: SaleRules, buyer: Buyer | null, quantity: number, old?: Hold): void {
  if (buyer === null) return;
  const { holds, tickets } = sale.buyers.get(buyer) ?? { holds: 0, tickets: 0 };
  const replaced = old?.buyer === buyer ? old : undefined;
  if (holds - (replaced ? 1 : 0) >= rules.openHolds) throw new Rejected('too-many-holds', { holds });
  if (tickets - ticketCount(replaced?.lines ?? []) + quantity > rules.heldTickets)
    throw new Rejected('too-many-held', { max: rules.heldTickets });
}

const holdGone = () => new Rejected('hold-gone');

/**
 * Whether the hold can still be paid: it has a payment, and the caller has not closed this payment at the provider.
 * Such a hold is not released.
 */
const mayBePaid = ({ paymentId }: Hold, closedPaymentId: string | undefined) =>
  paymentId !== null && paymentId !== closedPaymentId;
const paymentUnderWay = () => new Rejected('payment-under-way');

/** Whether this version is the current version of the event, or an older version. */
const isOld = (sale: Sale, catalogVersion: number) => catalogVersion <= sale.catalogVersion;

const released = (
  orderId: string,
  { lines }: Hold,
  reason: Extract<SaleEvent, { type: 'HoldReleased' }>['data']['reason'],
): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, lines, reason },
});

/**
 * The releases of holds that follow when a sale is closed. If the sale is withdrawn, all holds stay, because their
 * buyers are about to pay. If the event is postponed or suspended, holds with a payment stay, because the payment may
 * succeed at any moment. All other holds are released, so that no payment starts for an event that may not take place.
 */
function releasedBy(sale: Sale, reason: CloseReason): SaleEvent[] {
  const all = [...sale.holds];
  switch (reason) {
    case 'canceled':
      return all.map(([orderId, hold]) => released(orderId, hold, 'event-canceled'));
    case 'postponed':
    case 'suspended':
      return all
        .filter(([, hold]) => hold.paymentId === null)
        .map(([orderId, hold]) => released(orderId, hold, `event-${reason}`));
    case 'withdrawn':
      return [];
  }
}

function decide(command: SaleCommand, sale: Sale, rules: SaleRules): SaleEvent[] {
  const { holdMinutes } = rules;
  switch (command.type) {
    case 'OfferTickets': {
      const { terms } = command;
      if (sale.closed === 'canceled' || isOld(sale, terms.catalogVersion)) return [];
      // Records a newer version even if the terms are equal, so that an older version that arrives later is recognized
      // as old.
      return [{ type: sale.terms ? 'SaleChanged' : 'SaleOpened', data: terms }];
    }
    case 'CloseSale': {
      const { reason, catalogVersion } = command;
      const isCanceled = reason === 'canceled';
      const isRepeated = sale.closed === reason && (isCanceled || sale.catalogVersion === catalogVersion);
      // A cancellation is permanent and takes effect even if it arrives late.
      if (!isRepeated && (sale.closed === 'canceled' || (!isCanceled && isOld(sale, catalogVersion)))) return [];
      const releases = releasedBy(sale, reason).slice(0, rules.releasedAtOnce);
      return isRepeated ? releases : [...releases, { type: 'SaleClosed', data: { reason, catalogVersion } }];
    }
    case 'HoldTickets': {
      const { orderId, wanted, buyerId, at, replaces } = command;
      if (sale.holds.has(orderId)) return []; // this order already holds tickets
      const terms = onSale(sale, at);
      const { refundDeadlineHours } = terms;
      const lines = linesOf(terms, wanted);
      if (!lines) throw new Rejected('no-such-ticket-type');
      const old = replaces === undefined ? undefined : sale.holds.get(replaces);
      if (old && mayBePaid(old, command.closedPaymentId)) throw paymentUnderWay();
      refuseForStock(sale, lines, old);
      // A replacement hold still counts for the buyer of the original hold.
      const guest = buyerId === null && typeof old?.buyer === 'string' ? old.buyer : command.guest;
      refuseForBuyer(sale, rules, buyerId ?? guest ?? null, ticketCount(lines), old);
      if (!old || replaces === undefined) {
        const until = plus(at, holdMinutes);
        return [
          {
            type: 'TicketsHeld',
            data: { orderId, lines, at, until, buyerId, refundDeadlineHours, ...(guest && { guest }) },
          },
        ];
      }
      // Limits the time of the hold, because a buyer must not keep tickets indefinitely by changing the quantity
      // repeatedly.
      const until = later(old.until, earlier(plus(at, holdMinutes), plus(old.at, 2 * holdMinutes)));
      if (until <= at) throw holdGone();
      return [
        released(replaces, old, 'replaced'),
        {
          type: 'TicketsHeld',
          data: {
            orderId,
            lines,
            at: old.at,
            until,
            buyerId,
            refundDeadlineHours,
            ...(guest && { guest }),
            ...(old.extended && { extended: true }),
            ...(old.declined && { declined: true }),
          },
        },
      ];
    }
    case 'AttachPayment': {
      const { orderId, paymentId, instead, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || hold.until <= at) throw holdGone();
      // If another payment was attached since this payment was requested, this payment comes too late.
      if (mayBePaid(hold, instead) && hold.paymentId !== paymentId) throw new Rejected('payment-changed.other-window');
      return hold.paymentId === paymentId ? [] : [{ type: 'PaymentAttached', data: { orderId, paymentId } }];
    }
    case 'ExtendHold': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold) throw holdGone();
      if (hold.extended) throw new Rejected('already-extended');
      // A hold ends at most twice the hold time after its start.
      const until = earlier(plus(later(hold.until, at), holdMinutes), plus(hold.at, 2 * holdMinutes));
      return [{ type: 'HoldExtended', data: { orderId, until: later(until, hold.until), reason: 'asked' } }];
    }
    case 'RecordDecline': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || hold.declined) return [];
      const until = earlier(plus(at, holdMinutes), plus(hold.at, 3 * holdMinutes));
      return [{ type: 'HoldExtended', data: { orderId, until: later(hold.until, until), reason: 'declined' } }];
    }
    case 'AwaitMoney': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || hold.until > at) return [];
      // After this time the hold is released. Money that arrives later still buys tickets if enough are left and the
      // event is not over.
      const end = plus(hold.at, 4 * holdMinutes);
      if (at >= end) return [released(orderId, hold, 'expired')];
      const until = earlier(plus(at, holdMinutes), end);
      return [{ type: 'HoldExtended', data: { orderId, until, reason: 'processing' } }];
    }
    case 'ReleaseHold': {
      const { orderId, reason, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || (reason === 'expired' && hold.until > at)) return []; // extended since the caller read the hold
      if (mayBePaid(hold, command.closedPaymentId)) {
        if (reason === 'given-back') throw paymentUnderWay();
        return [];
      }
      return [released(orderId, hold, reason)];
    }
    case 'SellTickets': {
      const { orderId, lines, paidCents, paymentId, buyerId, at, tickets, isLost, isPublished } = command;
      const hold = sale.holds.get(orderId);
      // The buyer has already paid, so the refusal of a payment is recorded as an event instead of thrown as an error.
      const refund = (reason: NotFulfilledReason): SaleEvent[] => [
        {
          type: 'PaymentNotFulfilled',
          data: { orderId, quantity: ticketCount(lines), paymentId, amountCents: paidCents, reason },
        },
      ];
      if (sale.withdrawn.has(paymentId)) return refund('refunded-by-provider');
      if (sale.closed === 'canceled') return refund('event-canceled');
      if (paidCents < totalCents(lines))
        return [...(hold ? [released(orderId, hold, 'underpaid')] : []), ...refund('underpaid')];
      if (findShortage(sale.stock, lines, hold?.lines)) return refund(isLost ? 'order-lost' : 'too-late');
      // A payment that succeeds in time keeps its hold, even if it is recorded after the event. The end of a postponed
      // event is not known.
      const isOver = sale.terms !== null && at >= sale.terms.endsAt && sale.closed !== 'postponed';
      if (isOver && !hold && !isPublished) return refund('too-late');
      const sold = { orderId, lines, paymentId, at, buyerId, tickets };
      // Recreates the lost order with a hold that ends in this decision.
      if (isLost && !hold)
        return [
          {
            type: 'TicketsHeld',
            data: {
              ...{ orderId, lines, at, until: at, buyerId },
              refundDeadlineHours: sale.terms?.refundDeadlineHours ?? null,
            },
          },
          { type: 'TicketsSold', data: { ...sold, fromHold: lines } },
        ];
      return [{ type: 'TicketsSold', data: { ...sold, fromHold: hold?.lines ?? [] } }];
    }
    case 'RefuseMoney': {
      const { type: _type, ...refusal } = command;
      const hold = sale.holds.get(refusal.orderId);
      return [
        ...(hold ? [released(refusal.orderId, hold, 'expired')] : []),
        { type: 'PaymentNotFulfilled', data: refusal },
      ];
    }
    case 'ReturnTickets':
      return returnTickets(sale, command);
    // A lost dispute can still be won later. A won dispute stays won, even if older messages about it arrive late.
    case 'FreezeOrder': {
      const { orderId, disputeId } = command;
      if (sale.disputes.get(orderId)?.has(disputeId)) return [];
      return [{ type: 'OrderFrozen', data: { orderId, disputeId, isFrozen: true } }];
    }
    case 'VoidOrder': {
      const { orderId, disputeId } = command;
      const state = sale.disputes.get(orderId)?.get(disputeId);
      if (state === 'lost' || state === 'won') return [];
      return [{ type: 'OrderVoided', data: { orderId, disputeId, isFrozen: has(sale, orderId, 'open', disputeId) } }];
    }
    case 'ThawOrder': {
      const { orderId, disputeId } = command;
      if (sale.disputes.get(orderId)?.get(disputeId) === 'won') return [];
      const isFrozen = has(sale, orderId, 'open', disputeId);
      const isVoid = has(sale, orderId, 'lost', disputeId);
      return [{ type: 'OrderThawed', data: { orderId, disputeId, isFrozen, ...(isVoid && { isVoid }) } }];
    }
    case 'WithdrawMoney': {
      const { orderId, paymentId } = command;
      if (sale.withdrawn.has(paymentId)) return [];
      const hold = sale.holds.get(orderId);
      return [
        ...(hold?.paymentId === paymentId ? [released(orderId, hold, 'money-withdrawn')] : []),
        { type: 'MoneyWithdrawn', data: { orderId, paymentId } },
      ];
    }
    case 'ClaimOrder': {
      const { orderId, quantity, buyerId, linkGeneration } = command;
      // A hold may still lapse, so an order can be claimed only after it was bought.
      if (sale.holds.has(orderId)) throw new Rejected('not-bought');
      return [{ type: 'OrderClaimed', data: { orderId, quantity, buyerId, linkGeneration } }];
    }
    case 'RenewLink': {
      const { type: _type, ...renewed } = command;
      return [{ type: 'LinkRenewed', data: renewed }];
    }
  }
}

/** Whether the order has another dispute in this state. */
const has = (sale: Sale, orderId: string, state: DisputeState, except?: string): boolean =>
  [...(sale.disputes.get(orderId) ?? [])].some(([id, now]) => now === state && id !== except);

/** Ticket positions of an order, from 1, as the bits of a number. An order has at most ten tickets. */
const placesIn = (places: readonly number[]): number => places.reduce((bits, place) => bits | (1 << (place - 1)), 0);
const allPlaces = (quantity: number): number => (1 << quantity) - 1;

/** The positions that these bits represent, in order. */
function placesOf(bits: number): number[] {
  const places: number[] = [];
  for (let place = 1; bits >> (place - 1) > 0; place++) if (bits & (1 << (place - 1))) places.push(place);
  return places;
}

/** Returns an order's valid tickets, or only the requested tickets. Each ticket is returned at most once. */
function returnTickets(sale: Sale, command: Extract<SaleCommand, { type: 'ReturnTickets' }>): SaleEvent[] {
  const { orderId, lines, paymentId, reason, asked } = command;
  const quantity = ticketCount(lines);
  const all = allPlaces(quantity);
  const before = sale.returned.get(orderId) ?? 0;
  const standing = all & ~before;
  if (asked) {
    // All orders of a canceled event are returned without a request.
    if (sale.closed === 'canceled') throw new Rejected('event-canceled.refunded');
    if (has(sale, orderId, 'open')) throw new Rejected('order-disputed.refund');
    if (has(sale, orderId, 'lost')) throw new Rejected('order-disputed.void');
    if (standing === 0) throw alreadyRefunded();
  }
  const wanted = asked?.places ? placesIn(asked.places) : standing;
  if ((wanted & ~all) !== 0) throw new Rejected('no-such-ticket');
  if ((wanted & before) !== 0) throw alreadyRefunded();
  if (wanted === 0) return [];
  const ticketsAt = (bits: number) => {
    const each = eachTicket(lines);
    return placesOf(bits).map((place) => ({ place, ...each[place - 1]! }));
  };
  const tickets = ticketsAt(wanted).map(({ place, type, priceCents }) => ({ place, type, priceCents }));
  const after = ticketsAt(standing & ~wanted);
  return [
    {
      type: 'TicketsReturned',
      data: {
        ...{ orderId, paymentId, reason, refundId: asked?.refundId ?? orderId, tickets },
        amountCents: priceOf(tickets),
        order: {
          ...{ quantity, totalCents: totalCents(lines) },
          ...{ standing: after.length, standingCents: priceOf(after) },
        },
      },
    },
  ];
}

const priceOf = (tickets: readonly { priceCents: number }[]): number =>
  tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);

const alreadyRefunded = () => new Rejected('already-refunded');

/** Adds a hold to its buyer's counts, or removes it (`by` -1). */
export function count(buyers: Sale['buyers'], { buyer, lines }: Hold, by: 1 | -1): void {
  if (buyer === null) return;
  const quantity = ticketCount(lines);
  const counted = buyers.get(buyer);
  if (!counted) buyers.set(buyer, { holds: 1, tickets: quantity });
  else if (counted.holds + by === 0) buyers.delete(buyer);
  else {
    counted.holds += by;
    counted.tickets += by * quantity;
  }
}

function removeHold(sale: Sale, orderId: string): void {
  const hold = sale.holds.get(orderId);
  if (!hold) return;
  sale.holds.delete(orderId);
  release(sale.stock, hold.lines);
  count(sale.buyers, hold, -1);
}

// May mutate the state, because the store owns the state and discards it if the append fails.
function evolve(sale: Sale, { type, data }: SaleEvent): Sale {
  switch (type) {
    case 'SaleOpened':
    case 'SaleChanged':
      sale.terms = data;
      applyTerms(sale.stock, data);
      sale.closed = null;
      sale.catalogVersion = data.catalogVersion;
      return sale;
    case 'SaleClosed':
      sale.closed = data.reason;
      sale.catalogVersion = Math.max(data.catalogVersion, sale.catalogVersion);
      return sale;
    case 'TicketsHeld': {
      const { orderId, lines, at, until, buyerId, guest = null, extended, declined } = data;
      const hold: Hold = {
        lines,
        at,
        until,
        extended: extended === true,
        declined: declined === true,
        buyer: buyerId ?? guest,
        paymentId: null,
      };
      sale.holds.set(orderId, hold);
      reserve(sale.stock, lines);
      count(sale.buyers, hold, 1);
      return sale;
    }
    case 'PaymentAttached': {
      const hold = sale.holds.get(data.orderId);
      if (!hold) return sale;
      hold.paymentId = data.paymentId;
      return sale;
    }
    case 'HoldExtended': {
      const hold = sale.holds.get(data.orderId);
      if (!hold) return sale;
      hold.until = data.until;
      if (data.reason === 'asked') hold.extended = true;
      if (data.reason === 'declined') hold.declined = true;
      return sale;
    }
    case 'HoldReleased':
      removeHold(sale, data.orderId);
      return sale;
    case 'TicketsSold':
      removeHold(sale, data.orderId);
      sell(sale.stock, data.lines);
      return sale;
    case 'TicketsReturned': {
      const { orderId, tickets } = data;
      restock(sale.stock, tickets);
      const before = sale.returned.get(orderId);
      // A canceled sale rejects refund requests, and the id of the command ensures that each of its orders is returned
      // only once.
      if (sale.closed !== 'canceled' || before !== undefined)
        sale.returned.set(orderId, (before ?? 0) | placesIn(tickets.map(({ place }) => place)));
      return sale;
    }
    case 'OrderFrozen':
    case 'OrderVoided':
    case 'OrderThawed': {
      const disputes = sale.disputes.get(data.orderId) ?? new Map<string, DisputeState>();
      sale.disputes.set(data.orderId, disputes.set(data.disputeId, DISPUTE_STATES[type]));
      return sale;
    }
    case 'MoneyWithdrawn':
      sale.withdrawn.add(data.paymentId);
      return sale;
    case 'PaymentNotFulfilled':
    case 'OrderClaimed':
    case 'LinkRenewed':
      return sale;
  }
}

const DISPUTE_STATES = { OrderFrozen: 'open', OrderVoided: 'lost', OrderThawed: 'won' } as const;

export const saleWith = (rules: Partial<SaleRules>): Decider<Sale, SaleCommand, SaleEvent> => {
  const all = { ...RULES, ...rules };
  return { initial, decide: (command, sale) => decide(command, sale, all), evolve };
};

export const sale = saleWith(RULES);
