import { Rejected, type Decider } from '@beltway/event-store';
import type { SaleCommand } from './command.ts';
import type { CloseReason, NotFulfilledReason, SaleEvent, Terms } from './events.ts';

export interface SaleRules {
  /** Decimals count: a run that must see holds expire cannot wait ten minutes. */
  holdMinutes: number;
  /** Of one buyer in one sale, at a time. */
  openHolds: number;
  heldTickets: number;
}
export const RULES: SaleRules = { holdMinutes: 10, openHolds: 2, heldTickets: 20 };

/** An account, or the keyed hash of a guest's key. Never an email: anyone can type that of someone else. */
type Buyer = number | string;

interface Hold {
  quantity: number;
  priceCents: number;
  at: string;
  until: string;
  extended: boolean;
  declined: boolean;
  /** Null: a guest who sent no key. */
  buyer: Buyer | null;
  /** The payment whose client secret may have been answered. */
  paymentId: string | null;
}

type DisputeState = 'open' | 'lost' | 'won';

/** What is open. What was sold is rows, not state. */
export interface Sale {
  terms: Terms | null;
  closed: CloseReason | null;
  /** The newest that the catalog said of this event. */
  catalogVersion: number;
  sold: number;
  held: number;
  holds: Map<string, Hold>;
  /** Payments that were taken back before they bought anything: a few in the life of a sale. */
  withdrawn: Set<string>;
  /**
   * The places of tickets that were returned, by order, a bit each: a few in the life of a sale. Not the
   * orders that a cancelled event returns as a whole, which are all.
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
  sold: 0,
  held: 0,
  holds: new Map(),
  withdrawn: new Set(),
  returned: new Map(),
  disputes: new Map(),
  buyers: new Map(),
});

const capacity = (sale: Sale) => sale.terms?.capacity ?? 0;
/**
 * Below zero when the capacity was lowered under what was sold and held: that stays good, and what lapses is not sold
 * again.
 */
const left = (sale: Sale) => capacity(sale) - sale.sold - sale.held;
let sum = { time: '', minutes: 0, result: '' };
/** The last sum is kept: in a rush hundreds come within a millisecond. */
function plus(time: string, minutes: number): string {
  if (time !== sum.time || minutes !== sum.minutes)
    sum = { time, minutes, result: new Date(Date.parse(time) + minutes * 60_000).toISOString() };
  return sum.result;
}
const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);

export const NOT_ON_SALE = 'Ticket sales are not currently available for this event.';

/** The sale's terms, if it sells at this time. `no-sale`: no message of the catalog has named this event yet. */
function onSale({ terms, closed }: Sale, at: string): Terms {
  if (closed === 'postponed')
    throw new Rejected('event-postponed', 'This event is postponed. Tickets are sold again when it has a new date.');
  if (!terms && !closed) throw new Rejected('no-sale', NOT_ON_SALE);
  if (!terms || closed) throw new Rejected('not-on-sale', NOT_ON_SALE);
  // Whatever the organiser said of the end of sales: nobody can go there any more.
  if (at >= terms.endsAt) throw new Rejected('event-over', 'This event is over.');
  if (terms.opensAt && at < terms.opensAt) throw new Rejected('not-on-sale-yet', 'Ticket sales have not started yet.');
  if (terms.closesAt && at >= terms.closesAt)
    throw new Rejected('sales-ended', 'Ticket sales for this event have ended.');
  return terms;
}

function refuseForStock(sale: Sale, free: number): never {
  if (sale.sold >= capacity(sale)) throw new Rejected('sold-out', 'Sold out.');
  if (free <= 0)
    throw new Rejected(
      'all-held',
      'The last tickets are in other baskets right now. Some may come back within minutes.',
    );
  throw new Rejected('not-enough-left', `Only ${free} ${free === 1 ? 'ticket is' : 'tickets are'} left.`);
}

/** `old` is a hold that the new one takes the place of. */
function refuseForBuyer(sale: Sale, rules: SaleRules, buyer: Buyer | null, quantity: number, old?: Hold): void {
  if (buyer === null) return;
  const { holds, tickets } = sale.buyers.get(buyer) ?? { holds: 0, tickets: 0 };
  const replaced = old?.buyer === buyer ? old : undefined;
  if (holds - (replaced ? 1 : 0) >= rules.openHolds)
    throw new Rejected(
      'too-many-holds',
      `You hold tickets for this event in ${holds} ${holds === 1 ? 'order' : 'orders'} already. Please pay for them or give them back first.`,
    );
  if (tickets - (replaced?.quantity ?? 0) + quantity > rules.heldTickets)
    throw new Rejected(
      'too-many-held',
      `One buyer can hold at most ${rules.heldTickets} tickets for this event at a time.`,
    );
}

const holdGone = () => new Rejected('hold-gone', 'These tickets are no longer held for you.');

/** A hold that can be paid is let go only by whoever has closed that very payment. */
const mayBePaid = ({ paymentId }: Hold, closedPaymentId: string | undefined) =>
  paymentId !== null && paymentId !== closedPaymentId;
const paymentUnderWay = () =>
  new Rejected('payment-under-way', 'The payment of these tickets is under way. Please wait a moment.');

/** What is in force is as new as this, or newer. */
const isOld = (sale: Sale, catalogVersion: number) => catalogVersion <= sale.catalogVersion;

const released = (
  orderId: string,
  { quantity }: Hold,
  reason: Extract<SaleEvent, { type: 'HoldReleased' }>['data']['reason'],
): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, quantity, reason },
});

/**
 * Withdrawing a sale leaves the holds to run: their buyers are paying. Postponing leaves those that have a payment, which may
 * succeed at any moment; of the others nobody shall begin to pay for a date that is no more.
 */
function releasedBy(sale: Sale, reason: CloseReason): SaleEvent[] {
  const all = [...sale.holds];
  switch (reason) {
    case 'cancelled':
      return all.map(([orderId, hold]) => released(orderId, hold, 'event-cancelled'));
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
      if (sale.closed === 'cancelled' || isOld(sale, terms.catalogVersion)) return [];
      // A newer version is an event although it changes nothing: what came between may still come, and is older.
      return [{ type: sale.terms ? 'SaleChanged' : 'SaleOpened', data: terms }];
    }
    case 'CloseSale': {
      const { reason, catalogVersion } = command;
      if (sale.closed === 'cancelled') return [];
      // Cancelling is for good, however late one hears of it.
      if (reason !== 'cancelled' && isOld(sale, catalogVersion)) return [];
      return [...releasedBy(sale, reason), { type: 'SaleClosed', data: { reason, catalogVersion } }];
    }
    case 'HoldTickets': {
      const { orderId, quantity, buyerId, at, replaces } = command;
      if (sale.holds.has(orderId)) return []; // this order already holds tickets
      const { priceCents, refundDeadlineHours } = onSale(sale, at);
      const old = replaces === undefined ? undefined : sale.holds.get(replaces);
      if (old && mayBePaid(old, command.closedPaymentId)) throw paymentUnderWay();
      const free = left(sale) + (old?.quantity ?? 0);
      // Fewer than before takes nothing from the stock.
      if (quantity > free && quantity > (old?.quantity ?? 0)) refuseForStock(sale, free);
      // An exchange stays counted where the hold was.
      const guest = buyerId === null && typeof old?.buyer === 'string' ? old.buyer : command.guest;
      refuseForBuyer(sale, rules, buyerId ?? guest ?? null, quantity, old);
      if (!old || replaces === undefined) {
        const until = plus(at, holdMinutes);
        return [
          {
            type: 'TicketsHeld',
            data: { orderId, quantity, priceCents, at, until, buyerId, refundDeadlineHours, ...(guest && { guest }) },
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
            quantity,
            priceCents,
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
      if (mayBePaid(hold, instead) && hold.paymentId !== paymentId)
        throw new Rejected('payment-changed', 'This order is being paid in another window. Please try again.');
      return hold.paymentId === paymentId ? [] : [{ type: 'PaymentAttached', data: { orderId, paymentId } }];
    }
    case 'ExtendHold': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold) throw holdGone();
      if (hold.extended) throw new Rejected('already-extended', 'The time was extended already.');
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
      const { orderId, quantity, priceCents, paidCents, paymentId, buyerId, at, tickets, isLost } = command;
      const hold = sale.holds.get(orderId);
      // The money has already moved: too late is a fact to record, not an error to throw.
      const refund = (reason: NotFulfilledReason): SaleEvent[] => [
        { type: 'PaymentNotFulfilled', data: { orderId, quantity, paymentId, amountCents: paidCents, reason } },
      ];
      if (sale.withdrawn.has(paymentId)) return refund('refunded-by-provider');
      if (sale.closed === 'cancelled') return refund('event-cancelled');
      if (paidCents < priceCents * quantity)
        return [...(hold ? [released(orderId, hold, 'underpaid')] : []), ...refund('underpaid')];
      const fromHold = hold?.quantity ?? 0;
      if (quantity > fromHold && quantity > left(sale) + fromHold) return refund(isLost ? 'order-lost' : 'too-late');
      // Its order is made anew, by a hold that lasts no longer than this decision.
      if (isLost && !hold)
        return [
          {
            type: 'TicketsHeld',
            data: {
              ...{ orderId, quantity, priceCents, at, until: at, buyerId },
              refundDeadlineHours: sale.terms?.refundDeadlineHours ?? null,
            },
          },
          {
            type: 'TicketsSold',
            data: { orderId, quantity, priceCents, paymentId, at, buyerId, tickets, fromHold: quantity },
          },
        ];
      return [
        { type: 'TicketsSold', data: { orderId, quantity, priceCents, paymentId, at, buyerId, tickets, fromHold } },
      ];
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
      if (sale.holds.has(orderId)) throw new Rejected('not-bought', 'These tickets are not paid yet.');
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
  const { orderId, quantity, paymentId, amountCents, reason, asked } = command;
  const all = allPlaces(quantity);
  const before = sale.returned.get(orderId) ?? 0;
  const standing = all & ~before;
  if (asked) {
    // All of its orders are returned as they are.
    if (sale.closed === 'cancelled')
      throw new Rejected('event-cancelled', 'This event was cancelled: all of its orders are refunded already.');
    if (has(sale, orderId, 'open'))
      throw new Rejected(
        'order-disputed',
        'A bank disputes the payment of this order. It is refunded when that is over.',
      );
    if (has(sale, orderId, 'lost'))
      throw new Rejected('order-disputed', 'A bank took back the payment of this order. Its tickets are void.');
    if (standing === 0) throw alreadyRefunded();
  }
  const wanted = asked?.places ? placesIn(asked.places) : standing;
  if ((wanted & ~all) !== 0) throw new Rejected('no-such-ticket', 'This order has no such ticket.');
  if ((wanted & before) !== 0) throw alreadyRefunded();
  if (wanted === 0) return [];
  const places = placesOf(wanted);
  const refund = asked && { refundId: asked.refundId };
  if (wanted === all)
    return [{ type: 'TicketsReturned', data: { orderId, quantity, paymentId, amountCents, reason, ...refund } }];
  const part = {
    places,
    standing: placesOf(standing & ~wanted).length,
    orderQuantity: quantity,
    orderCents: amountCents,
  };
  // All tickets of an order have one price.
  const cents = (amountCents / quantity) * places.length;
  return [
    {
      type: 'TicketsReturned',
      data: { orderId, quantity: places.length, paymentId, amountCents: cents, reason, ...refund, part },
    },
  ];
}

const alreadyRefunded = () => new Rejected('already-refunded', 'These tickets are refunded already.');

function count(sale: Sale, { buyer, quantity }: Hold, by: 1 | -1): void {
  if (buyer === null) return;
  const counted = sale.buyers.get(buyer);
  if (!counted) sale.buyers.set(buyer, { holds: 1, tickets: quantity });
  else if (counted.holds + by === 0) sale.buyers.delete(buyer);
  else {
    counted.holds += by;
    counted.tickets += by * quantity;
  }
}

function removeHold(sale: Sale, orderId: string): void {
  const hold = sale.holds.get(orderId);
  if (!hold) return;
  sale.holds.delete(orderId);
  sale.held -= hold.quantity;
  count(sale, hold, -1);
}

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(sale: Sale, { type, data }: SaleEvent): Sale {
  switch (type) {
    case 'SaleOpened':
    case 'SaleChanged':
      sale.terms = data;
      sale.closed = null;
      sale.catalogVersion = data.catalogVersion;
      return sale;
    case 'SaleClosed':
      sale.closed = data.reason;
      sale.catalogVersion = Math.max(data.catalogVersion, sale.catalogVersion);
      return sale;
    case 'TicketsHeld': {
      const { orderId, quantity, priceCents, at, until, buyerId, guest = null, extended, declined } = data;
      const hold: Hold = {
        quantity,
        priceCents,
        at,
        until,
        extended: extended === true,
        declined: declined === true,
        buyer: buyerId ?? guest,
        paymentId: null,
      };
      sale.holds.set(orderId, hold);
      sale.held += quantity;
      count(sale, hold, 1);
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
      sale.sold += data.quantity;
      return sale;
    case 'TicketsReturned': {
      const { orderId, quantity, part } = data;
      sale.sold -= quantity;
      const returned = part ? placesIn(part.places) : allPlaces(quantity);
      // A cancelled sale takes no more requests; its orders are returned once each by the command's id.
      if (sale.closed !== 'cancelled') sale.returned.set(orderId, (sale.returned.get(orderId) ?? 0) | returned);
      else if (part?.standing === 0) sale.returned.set(orderId, allPlaces(part.orderQuantity));
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

/** Consecutive orders with equal holds, hundreds under load. Their buyers differ; lists of nulls are left out. */
interface Run {
  hold: Omit<Hold, 'buyer' | 'paymentId'>;
  orders: string[];
  buyers?: Array<Buyer | null>;
  payments?: Array<string | null>;
}

const sameHold = (a: Run['hold'], b: Run['hold']) =>
  a.at === b.at &&
  a.until === b.until &&
  a.quantity === b.quantity &&
  a.priceCents === b.priceCents &&
  a.extended === b.extended &&
  a.declined === b.declined;

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

/** How the state is kept in a snapshot. Raise `shape` when `Sale` changes. */
export const saleSnapshot = {
  shape: 7,
  write: ({ holds, withdrawn, returned, disputes, buyers: _counted, ...state }: Sale) => ({
    ...state,
    holds: runsOf(holds),
    withdrawn: [...withdrawn],
    returned: [...returned],
    disputes: [...disputes].map(([orderId, of]) => [orderId, [...of]] as const),
  }),
  read: (json: unknown): Sale => {
    const { holds, withdrawn, returned, disputes, ...stored } = json as ReturnType<typeof saleSnapshot.write>;
    const state: Sale = {
      ...stored,
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
        count(state, hold, 1);
      }
    return state;
  },
};
