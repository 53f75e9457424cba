import { eachTicket, ticketCount, totalCents, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { SaleCommand } from './command.ts';
import type { CloseReason, NotFulfilledReason, SaleEvent, Terms } from './events.ts';
import { applyTerms, findShortage, linesOf, release, reserve, restock, sell, type Stock } from './stock.ts';

export interface SaleRules {
  /** Decimals count: a run that must see holds expire cannot wait ten minutes. */
  holdMinutes: number;
  /** Of one buyer in one sale, at a time. */
  openHolds: number;
  heldTickets: number;
}
export const RULES: SaleRules = { holdMinutes: 10, openHolds: 2, heldTickets: 20 };

/** An account, or the keyed hash of a guest's key. Never an email: anyone can type that of someone else. */
export type Buyer = number | string;

export interface Hold {
  lines: OrderLine[];
  at: string;
  until: string;
  extended: boolean;
  declined: boolean;
  /** Null: a guest who sent no key. */
  buyer: Buyer | null;
  /** The payment whose client secret may have been answered. */
  paymentId: string | null;
}

export type DisputeState = 'open' | 'lost' | 'won';

/** What is open. What was sold is rows, not state. */
export interface Sale {
  terms: Terms | null;
  closed: CloseReason | null;
  /** The newest that the catalog said of this event. */
  catalogVersion: number;
  stock: Stock;
  holds: Map<string, Hold>;
  /** Payments that were taken back before they bought anything: a few in the life of a sale. */
  withdrawn: Set<string>;
  /**
   * The places of tickets that were returned, by order, a bit each: a few in the life of a sale. Not the
   * orders that a canceled event returns as a whole, which are all.
   */
  returned: Map<string, number>;
  /** The disputes of each order, by the provider's ids: a few in the life of a sale. */
  disputes: Map<string, Map<string, DisputeState>>;
  /** Counted from the holds, so that a hold need not look at the others. */
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

const plus = (time: string, minutes: number): string => new Date(Date.parse(time) + minutes * 60_000).toISOString();
const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);

/** The sale's terms, if it sells at this time. `no-sale`: no message of the catalog has named this event yet. */
function onSale({ terms, closed }: Sale, at: string): Terms {
  if (closed === 'postponed') throw new Rejected('event-postponed.sale');
  if (!terms && !closed) throw new Rejected('no-sale');
  if (!terms || closed) throw new Rejected('not-on-sale');
  // Whatever the organizer said of the end of sales: nobody can go there any more.
  if (at >= terms.endsAt) throw new Rejected('event-over');
  if (terms.opensAt && at < terms.opensAt) throw new Rejected('not-on-sale-yet');
  if (terms.closesAt && at >= terms.closesAt) throw new Rejected('sales-ended');
  return terms;
}

/** `old` is a hold that the new one takes the place of. */
function refuseForStock({ stock }: Sale, lines: OrderLine[], old: Hold | undefined): void {
  const shortage = findShortage(stock, lines, old?.lines);
  if (!shortage) return;
  const { counts, free } = shortage;
  if (counts.sold >= counts.capacity) throw new Rejected('sold-out');
  if (free <= 0) throw new Rejected('all-held');
  throw new Rejected('not-enough-left', { free });
}

/** The same of what one buyer may hold. */
function refuseForBuyer(sale: Sale, rules: SaleRules, buyer: Buyer | null, quantity: number, old?: Hold): void {
  if (buyer === null) return;
  const { holds, tickets } = sale.buyers.get(buyer) ?? { holds: 0, tickets: 0 };
  const replaced = old?.buyer === buyer ? old : undefined;
  if (holds - (replaced ? 1 : 0) >= rules.openHolds) throw new Rejected('too-many-holds', { holds });
  if (tickets - ticketCount(replaced?.lines ?? []) + quantity > rules.heldTickets)
    throw new Rejected('too-many-held', { max: rules.heldTickets });
}

const holdGone = () => new Rejected('hold-gone');

/** A hold that can be paid is let go only by whoever has closed that very payment. */
const mayBePaid = ({ paymentId }: Hold, closedPaymentId: string | undefined) =>
  paymentId !== null && paymentId !== closedPaymentId;
const paymentUnderWay = () => new Rejected('payment-under-way');

/** What is in force is as new as this, or newer. */
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
 * Withdrawing a sale leaves the holds to run: their buyers are paying. Postponing leaves those that have a payment, which may
 * succeed at any moment; of the others nobody shall begin to pay for a date that is no more.
 */
function releasedBy(sale: Sale, reason: CloseReason): SaleEvent[] {
  const all = [...sale.holds];
  switch (reason) {
    case 'canceled':
      return all.map(([orderId, hold]) => released(orderId, hold, 'event-canceled'));
    case 'postponed':
      return all
        .filter(([, hold]) => hold.paymentId === null)
        .map(([orderId, hold]) => released(orderId, hold, 'event-postponed'));
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
      // A newer version is an event although it changes nothing: what came between may still come, and is older.
      return [{ type: sale.terms ? 'SaleChanged' : 'SaleOpened', data: terms }];
    }
    case 'CloseSale': {
      const { reason, catalogVersion } = command;
      if (sale.closed === 'canceled') return [];
      // Canceling is for good, however late one hears of it.
      if (reason !== 'canceled' && isOld(sale, catalogVersion)) return [];
      return [...releasedBy(sale, reason), { type: 'SaleClosed', data: { reason, catalogVersion } }];
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
      // An exchange stays counted where the hold was.
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
      // Changing the quantity again and again must not keep tickets for ever.
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
      // Who asked for a payment before another one took its place comes too late with it.
      if (mayBePaid(hold, instead) && hold.paymentId !== paymentId) throw new Rejected('payment-changed.other-window');
      return hold.paymentId === paymentId ? [] : [{ type: 'PaymentAttached', data: { orderId, paymentId } }];
    }
    case 'ExtendHold': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold) throw holdGone();
      if (hold.extended) throw new Rejected('already-extended');
      // Never past twice the time from the start.
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
      // Money that comes later still gets tickets while some are left.
      const end = plus(hold.at, 4 * holdMinutes);
      if (at >= end) return [released(orderId, hold, 'expired')];
      const until = earlier(plus(at, holdMinutes), end);
      return [{ type: 'HoldExtended', data: { orderId, until, reason: 'processing' } }];
    }
    case 'ReleaseHold': {
      const { orderId, reason, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || (reason === 'expired' && hold.until > at)) return []; // extended since it was looked at
      if (mayBePaid(hold, command.closedPaymentId)) {
        if (reason === 'given-back') throw paymentUnderWay();
        return [];
      }
      return [released(orderId, hold, reason)];
    }
    case 'SellTickets': {
      const { orderId, lines, paidCents, paymentId, buyerId, at, tickets, isLost } = command;
      const hold = sale.holds.get(orderId);
      // The money has already moved: too late is a fact to record, not an error to throw.
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
      const sold = { orderId, lines, paymentId, at, buyerId, tickets };
      // Its order is made anew, by a hold that lasts no longer than this decision.
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
    // A dispute that was lost may be won after all; a won one stays won, whatever is reported late.
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
      // What is only held may still go back; it is claimed when it was bought.
      if (sale.holds.has(orderId)) throw new Rejected('not-bought');
      return [{ type: 'OrderClaimed', data: { orderId, quantity, buyerId, linkGeneration } }];
    }
    case 'RenewLink': {
      const { orderId, linkGeneration } = command;
      return [{ type: 'LinkRenewed', data: { orderId, linkGeneration } }];
    }
  }
}

/** Whether the order has a dispute in this state, other than this one. */
const has = (sale: Sale, orderId: string, state: DisputeState, except?: string): boolean =>
  [...(sale.disputes.get(orderId) ?? [])].some(([id, now]) => now === state && id !== except);

/** Tickets of an order by their places, from 1 on, as the bits of one number: an order has ten at most. */
const placesIn = (places: readonly number[]): number => places.reduce((bits, place) => bits | (1 << (place - 1)), 0);
const allPlaces = (quantity: number): number => (1 << quantity) - 1;

/** The places of these bits, in their order. */
function placesOf(bits: number): number[] {
  const places: number[] = [];
  for (let place = 1; bits >> (place - 1) > 0; place++) if (bits & (1 << (place - 1))) places.push(place);
  return places;
}

/** What stands of an order is returned, or of it what was asked for; each ticket once, whoever asks and however often. */
function returnTickets(sale: Sale, command: Extract<SaleCommand, { type: 'ReturnTickets' }>): SaleEvent[] {
  const { orderId, lines, paymentId, reason, asked } = command;
  const quantity = ticketCount(lines);
  const all = allPlaces(quantity);
  const before = sale.returned.get(orderId) ?? 0;
  const standing = all & ~before;
  if (asked) {
    // All of its orders are returned as they are.
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

/** Counts a hold for its buyer. */
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

// May change the state it is given: the store owns it, and drops it if the append fails.
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
      // A canceled sale takes no more requests; its orders are returned once each by the command's id.
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
