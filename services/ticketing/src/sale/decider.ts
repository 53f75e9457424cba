import { Rejected, type Decider } from '@beltway/event-store';
import type { SaleCommand, SaleEvent, Terms } from './events.ts';

export const HOLD_MINUTES = 10;

interface Hold {
  quantity: number;
  priceCents: number;
  at: string;
  until: string;
  extended: boolean;
  declined: boolean;
}

/** What is open. What was sold is rows, not state. */
export interface Sale {
  terms: Terms | null;
  closed: 'cancelled' | 'withdrawn' | null;
  /** The newest that the catalog said of this event. */
  catalogVersion: number;
  sold: number;
  held: number;
  holds: Map<string, Hold>;
}

const initial = (): Sale => ({ terms: null, closed: null, catalogVersion: 0, sold: 0, held: 0, holds: new Map() });

const capacity = (sale: Sale) => sale.terms?.capacity ?? 0;
/** Below zero when the capacity was lowered under what was sold and held: that stays good, and what lapses is not sold again. */
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

/** The sale's terms, if it sells at this time. */
function onSale({ terms, closed }: Sale, at: string): Terms {
  if (!terms || closed) throw new Rejected('not-on-sale', 'Ticket sales are not currently available for this event.');
  // Whatever the organiser said of the end of sales: nobody can go there any more.
  if (terms.endsAt && at >= terms.endsAt) throw new Rejected('event-over', 'This event is over.');
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

/** What the catalog said no later than what is in force. Messages of older days carry no version, and are told apart by nothing. */
const isOld = (sale: Sale, catalogVersion: number) =>
  catalogVersion < sale.catalogVersion || (catalogVersion > 0 && catalogVersion === sale.catalogVersion);

const released = (
  orderId: string,
  { quantity }: Hold,
  reason: Extract<SaleEvent, { type: 'HoldReleased' }>['data']['reason'],
): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, quantity, reason },
});

function decide(command: SaleCommand, sale: Sale, holdMinutes: number): SaleEvent[] {
  switch (command.type) {
    case 'OfferTickets': {
      const { terms } = command;
      const { catalogVersion = 0 } = terms;
      if (sale.closed === 'cancelled' || isOld(sale, catalogVersion)) return [];
      if (!sale.terms) return [{ type: 'SaleOpened', data: terms }];
      // A newer version is an event although it changes nothing: what came between may still come, and is older.
      const isNewer = catalogVersion > sale.catalogVersion;
      return !isNewer && !sale.closed && sameTerms(sale.terms, terms) ? [] : [{ type: 'SaleChanged', data: terms }];
    }
    case 'CloseSale': {
      const { reason, catalogVersion = 0 } = command;
      if (sale.closed === 'cancelled') return [];
      const isNewer = catalogVersion > sale.catalogVersion;
      // Cancelling is for good, however late one hears of it.
      if (reason === 'withdrawn') {
        if (isOld(sale, catalogVersion)) return [];
        if (!isNewer && (!sale.terms || sale.closed === 'withdrawn')) return [];
      }
      // Withdrawing a sale leaves the holds to run: their buyers are paying.
      const holds = reason === 'cancelled' ? [...sale.holds] : [];
      return [
        ...holds.map(([orderId, hold]) => released(orderId, hold, 'event-cancelled')),
        { type: 'SaleClosed', data: { reason, ...(isNewer && { catalogVersion }) } },
      ];
    }
    case 'HoldTickets': {
      const { orderId, quantity, buyerId, at, replaces } = command;
      if (sale.holds.has(orderId)) return []; // the same wish, in other words
      const { priceCents } = onSale(sale, at);
      const old = replaces === undefined ? undefined : sale.holds.get(replaces);
      const free = left(sale) + (old?.quantity ?? 0);
      // Fewer than before takes nothing from the stock.
      if (quantity > free && quantity > (old?.quantity ?? 0)) refuseForStock(sale, free);
      return [
        ...(old && replaces !== undefined ? [released(replaces, old, 'replaced')] : []),
        { type: 'TicketsHeld', data: { orderId, quantity, priceCents, at, until: plus(at, holdMinutes), buyerId } },
      ];
    }
    case 'ExtendHold': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold) throw new Rejected('hold-gone', 'These tickets are no longer held for you.');
      if (hold.extended) throw new Rejected('already-extended', 'The time was extended already.');
      // Never past twice the time from the start.
      const until = earlier(plus(later(hold.until, at), holdMinutes), plus(hold.at, 2 * holdMinutes));
      return [{ type: 'HoldExtended', data: { orderId, until: later(until, hold.until), reason: 'asked' } }];
    }
    case 'RecordDecline': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || hold.declined) return [];
      return [
        {
          type: 'HoldExtended',
          data: { orderId, until: later(hold.until, plus(at, holdMinutes)), reason: 'declined' },
        },
      ];
    }
    case 'AwaitMoney': {
      const { orderId, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || hold.until > at) return [];
      return [{ type: 'HoldExtended', data: { orderId, until: plus(at, holdMinutes), reason: 'processing' } }];
    }
    case 'ReleaseHold': {
      const { orderId, reason, at } = command;
      const hold = sale.holds.get(orderId);
      if (!hold || (reason === 'expired' && hold.until > at)) return []; // extended since it was looked at
      return [released(orderId, hold, reason)];
    }
    case 'SellTickets': {
      const { orderId, quantity, priceCents, paymentId, buyerId, at, tickets } = command;
      const hold = sale.holds.get(orderId);
      // The money has already moved: too late is a fact to record, not an error to throw.
      const refund = (reason: 'too-late' | 'event-cancelled'): SaleEvent[] => [
        { type: 'RefundRequested', data: { orderId, quantity, paymentId, amountCents: priceCents * quantity, reason } },
      ];
      if (sale.closed === 'cancelled') return refund('event-cancelled');
      const fromHold = hold?.quantity ?? 0;
      if (quantity > fromHold && quantity > left(sale) + fromHold) return refund('too-late');
      return [
        { type: 'TicketsSold', data: { orderId, quantity, priceCents, paymentId, at, buyerId, tickets, fromHold } },
      ];
    }
    case 'ReturnTickets': {
      const { orderId, quantity, paymentId, amountCents, reason } = command;
      return [{ type: 'TicketsReturned', data: { orderId, quantity, paymentId, amountCents, reason } }];
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

const sameTerms = (a: Terms, b: Terms) =>
  a.capacity === b.capacity &&
  a.priceCents === b.priceCents &&
  a.organiserId === b.organiserId &&
  a.opensAt === b.opensAt &&
  a.closesAt === b.closesAt &&
  a.endsAt === b.endsAt;

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(sale: Sale, { type, data }: SaleEvent): Sale {
  switch (type) {
    case 'SaleOpened':
    case 'SaleChanged':
      sale.terms = data;
      sale.closed = null;
      sale.catalogVersion = data.catalogVersion ?? sale.catalogVersion;
      return sale;
    case 'SaleClosed':
      sale.closed = data.reason;
      sale.catalogVersion = data.catalogVersion ?? sale.catalogVersion;
      return sale;
    case 'TicketsHeld':
      sale.holds.set(data.orderId, {
        quantity: data.quantity,
        priceCents: data.priceCents,
        at: data.at,
        until: data.until,
        extended: false,
        declined: false,
      });
      sale.held += data.quantity;
      return sale;
    case 'HoldExtended': {
      const hold = sale.holds.get(data.orderId);
      if (!hold) return sale;
      hold.until = data.until;
      if (data.reason === 'asked') hold.extended = true;
      if (data.reason === 'declined') hold.declined = true;
      return sale;
    }
    case 'HoldReleased':
      if (sale.holds.delete(data.orderId)) sale.held -= data.quantity;
      return sale;
    case 'TicketsSold':
      sale.holds.delete(data.orderId);
      sale.held -= data.fromHold;
      sale.sold += data.quantity;
      return sale;
    case 'TicketsReturned':
      sale.sold -= data.quantity;
      return sale;
    case 'RefundRequested':
    case 'OrderClaimed':
    case 'LinkRenewed':
      return sale;
  }
}

/** The rules of a sale whose holds last this long (decimals count): a run that must see holds expire cannot wait ten minutes. */
export const saleWithHoldsOf = (holdMinutes: number): Decider<Sale, SaleCommand, SaleEvent> => ({
  initial,
  decide: (command, sale) => decide(command, sale, holdMinutes),
  evolve,
});

export const sale = saleWithHoldsOf(HOLD_MINUTES);

/** Orders that follow one another and hold the same: in a crowd hundreds do. */
interface Run {
  hold: Hold;
  orders: string[];
}

const sameHold = (a: Hold, b: Hold) =>
  a.at === b.at &&
  a.until === b.until &&
  a.quantity === b.quantity &&
  a.priceCents === b.priceCents &&
  a.extended === b.extended &&
  a.declined === b.declined;

function runsOf(holds: Sale['holds']): Run[] {
  const runs: Run[] = [];
  for (const [orderId, hold] of holds) {
    const last = runs.at(-1);
    if (last && sameHold(last.hold, hold)) last.orders.push(orderId);
    else runs.push({ hold, orders: [orderId] });
  }
  return runs;
}

/** How the state is kept in a snapshot. Raise `shape` when `Sale` changes. */
export const saleSnapshot = {
  shape: 3,
  write: (state: Sale) => ({ ...state, holds: runsOf(state.holds) }),
  read: (json: unknown): Sale => {
    const stored = json as Omit<Sale, 'holds'> & { holds: Run[] };
    const holds = stored.holds.flatMap(({ hold, orders }) => orders.map((orderId) => [orderId, { ...hold }] as const));
    return { ...stored, holds: new Map(holds) };
  },
};
