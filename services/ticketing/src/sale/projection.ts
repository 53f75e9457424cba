import { feeShareCents, platformFeeCents } from '@beltway/contracts/payments/payments';
import { eachTicket, ticketCount, totalCents } from '@beltway/contracts/ticketing/order-lines';
import type { Projection, Recorded } from '@beltway/event-store';
import { availability, orderRefunds, orders, tickets } from '../generated/tables.ts';
import type { SaleEvent, Terms } from './events.ts';

const TERMS = ['organizerId', 'capacity', 'priceCents', 'opensAt', 'closesAt'] as const;
const MOVED = ['sold', 'held', 'revenueCents'] as const;
const OPENED = availability.insert(['eventId', ...TERMS, 'version']);
const STOCK_MOVED = availability.update('eventId', ['version'], MOVED);
const STOCK_CLOSED = availability.update('eventId', ['version', 'closed'], MOVED);
const TERMS_CHANGED = availability.update('eventId', ['version', 'closed', ...TERMS], MOVED);

/** Writes capacity, sold and held tickets. A sale has one row, which is written once per group of events. */
export const projectAvailability: Projection<SaleEvent> = (sql, group) => {
  const last = group.at(-1);
  if (!last) return;
  const eventId = Number(last.id);
  let terms: Terms | undefined;
  let closed: string | null | undefined;
  let sold = 0;
  let held = 0;
  let revenueCents = 0;

  for (const { type, data } of group) {
    switch (type) {
      case 'SaleOpened':
        OPENED.run(sql, { ...data, eventId, version: 0 });
        closed = null; // in a replay, the same group may contain an earlier withdrawal
        break;
      case 'SaleChanged':
        terms = data;
        closed = null;
        break;
      case 'SaleClosed':
        closed = data.reason;
        break;
      case 'TicketsHeld':
        held += ticketCount(data.lines);
        break;
      case 'HoldReleased':
        held -= ticketCount(data.lines);
        break;
      case 'TicketsSold':
        held -= ticketCount(data.fromHold);
        sold += ticketCount(data.lines);
        revenueCents += totalCents(data.lines);
        break;
      case 'TicketsReturned':
        sold -= data.tickets.length;
        revenueCents -= data.amountCents;
        break;
      case 'HoldExtended':
      case 'PaymentAttached':
      case 'PaymentNotFulfilled':
      case 'MoneyWithdrawn':
      case 'OrderClaimed':
      case 'LinkRenewed':
      case 'OrderFrozen':
      case 'OrderVoided':
      case 'OrderThawed':
        break; // none of these changes stock
    }
  }

  const stock = { eventId, sold, held, revenueCents, version: last.version };
  if (terms) TERMS_CHANGED.run(sql, { ...terms, ...stock, closed: closed ?? null });
  else if (closed !== undefined) STOCK_CLOSED.run(sql, { ...stock, closed });
  else STOCK_MOVED.run(sql, stock);
};

type Of<Type extends SaleEvent['type']> = Extract<Recorded<SaleEvent>, { type: Type }>;

interface Outcome {
  status: 'expired' | 'released' | 'fulfilled' | 'refunding';
  paymentId: string | null;
  at: string;
  /** The platform's fee if the order was sold. */
  feeCents?: number;
}

/** The returned part of an order, and the platform's fee for the remaining part. */
interface Returned {
  returned: number;
  returnedCents: number;
  feeCents: number;
}

interface Link {
  generation: number;
  /** The account that claimed the order. */
  buyerId: number | null;
}

const HELD_FIELDS = [
  ...(['orderId', 'buyerId', 'quantity', 'totalCents', 'heldAt', 'holdUntil'] as const),
  ...(['refundDeadlineHours'] as const),
] as const;
const HELD = orders.insertMany(HELD_FIELDS, { same: ['eventId'], few: ['lines'], fixed: { status: `'held'` } });
const HELD_AND_SETTLED = orders.insertMany(
  [...HELD_FIELDS, 'extended', 'status', 'paymentId', 'settledAt', 'feeCents'],
  { same: ['eventId'], few: ['lines'] },
);
const EXTENDED = orders.updateMany('orderId', ['holdUntil', 'extended'], {
  extended: 'orders.extended or n.extended',
});
const ATTACHED = orders.updateMany('orderId', ['paymentId']);
const SETTLED = orders.updateMany('orderId', ['status', 'paymentId', 'settledAt', 'feeCents'], {
  paymentId: 'coalesce(n.payment_id, orders.payment_id)',
});
const RETURNED = orders.updateMany('orderId', ['returned', 'returnedCents', 'feeCents']);
const FROZEN = orders.updateMany('orderId', ['frozen']);
const VOID = orders.updateMany('orderId', ['isVoid']);
const LINKED = orders.updateMany('orderId', ['linkGeneration', 'buyerId'], {
  buyerId: 'coalesce(n.buyer_id, orders.buyer_id)',
});

const heldValues = {
  eventId: ({ id }: Of<'TicketsHeld'>) => Number(id),
  orderId: ({ data }: Of<'TicketsHeld'>) => data.orderId,
  buyerId: ({ data }: Of<'TicketsHeld'>) => data.buyerId,
  quantity: ({ data }: Of<'TicketsHeld'>) => ticketCount(data.lines),
  totalCents: ({ data }: Of<'TicketsHeld'>) => totalCents(data.lines),
  lines: ({ data }: Of<'TicketsHeld'>) => data.lines,
  heldAt: ({ data }: Of<'TicketsHeld'>) => data.at,
  holdUntil: ({ data }: Of<'TicketsHeld'>) => data.until,
  refundDeadlineHours: ({ data }: Of<'TicketsHeld'>) => data.refundDeadlineHours,
};

/**
 * Writes the state of each order. A hold inserts the row, and the last event of the group determines its state. In a
 * replay of the log, an order may be held, extended and settled in one group; it is written once, in its final state.
 */
export const projectOrders: Projection<SaleEvent> = (sql, group) => {
  const held: Of<'TicketsHeld'>[] = [];
  const extensions = new Map<string, { until: string; asked: boolean }>();
  const attached = new Map<string, string>();
  const outcomes = new Map<string, Outcome>();
  const links = new Map<string, Link>();
  const returned = new Map<string, Returned>();
  /** Whether the order's tickets are frozen or void because of disputes. */
  const frozen = new Map<string, boolean>();
  const isVoid = new Map<string, boolean>();

  for (const event of group) {
    const { type, data } = event;
    switch (type) {
      case 'TicketsHeld':
        held.push(event as Of<'TicketsHeld'>);
        break;
      case 'HoldExtended':
        extensions.set(data.orderId, {
          until: data.until,
          asked: data.reason === 'asked' || (extensions.get(data.orderId)?.asked ?? false),
        });
        break;
      case 'PaymentAttached':
        attached.set(data.orderId, data.paymentId);
        break;
      case 'HoldReleased':
        outcomes.set(data.orderId, {
          status: data.reason === 'expired' ? 'expired' : 'released',
          paymentId: null,
          at: event.occurredAt.toISOString(),
        });
        break;
      case 'TicketsSold':
        outcomes.set(data.orderId, {
          ...{ status: 'fulfilled', paymentId: data.paymentId, at: data.at },
          feeCents: platformFeeCents(totalCents(data.lines)),
        });
        break;
      case 'PaymentNotFulfilled':
        outcomes.set(data.orderId, refunding(data.paymentId, event));
        break;
      case 'TicketsReturned':
        returned.set(data.orderId, returnedOf(data.order));
        if (data.order.standing === 0) outcomes.set(data.orderId, refunding(data.paymentId, event));
        break;
      case 'OrderFrozen':
        frozen.set(data.orderId, data.isFrozen);
        break;
      case 'OrderVoided':
        frozen.set(data.orderId, data.isFrozen);
        isVoid.set(data.orderId, true);
        break;
      case 'OrderThawed':
        frozen.set(data.orderId, data.isFrozen);
        isVoid.set(data.orderId, data.isVoid === true);
        break;
      case 'OrderClaimed':
      case 'LinkRenewed':
        links.set(data.orderId, {
          generation: data.linkGeneration,
          buyerId: type === 'OrderClaimed' ? data.buyerId : (links.get(data.orderId)?.buyerId ?? null),
        });
        break;
      case 'SaleOpened':
      case 'SaleChanged':
      case 'SaleClosed':
      case 'MoneyWithdrawn':
        break; // about the sale or a payment; other events change the order's state
    }
  }

  const isFresh = ({ data: { orderId, extended } }: Of<'TicketsHeld'>) =>
    !extended && !extensions.has(orderId) && !attached.has(orderId) && !outcomes.has(orderId);
  HELD.run(sql, held.filter(isFresh), heldValues);
  const settled = held.filter((event) => !isFresh(event));
  const outcomeOf = ({ data }: Of<'TicketsHeld'>) => outcomes.get(data.orderId);
  const extensionOf = ({ data }: Of<'TicketsHeld'>) => extensions.get(data.orderId);
  HELD_AND_SETTLED.run(sql, settled, {
    ...heldValues,
    holdUntil: (event) => extensionOf(event)?.until ?? event.data.until,
    extended: (event) => event.data.extended === true || extensionOf(event)?.asked === true,
    status: (event) => outcomeOf(event)?.status ?? 'held',
    paymentId: (event) => outcomeOf(event)?.paymentId ?? attached.get(event.data.orderId) ?? null,
    settledAt: (event) => outcomeOf(event)?.at ?? null,
    feeCents: (event) => outcomeOf(event)?.feeCents ?? 0,
  });
  for (const { data } of settled) {
    extensions.delete(data.orderId);
    attached.delete(data.orderId);
    outcomes.delete(data.orderId);
  }
  EXTENDED.run(sql, [...extensions], {
    orderId: ([orderId]) => orderId,
    holdUntil: ([, { until }]) => until,
    extended: ([, { asked }]) => asked,
  });
  ATTACHED.run(sql, [...attached], { orderId: ([orderId]) => orderId, paymentId: ([, paymentId]) => paymentId });
  SETTLED.run(sql, [...outcomes], {
    orderId: ([orderId]) => orderId,
    status: ([, { status }]) => status,
    paymentId: ([, { paymentId }]) => paymentId,
    settledAt: ([, { at }]) => at,
    feeCents: ([, { feeCents }]) => feeCents ?? 0,
  });
  // Writes these columns after the rows were inserted, because in a replay the hold, the sale and the claim of an order
  // are in one group.
  RETURNED.run(sql, [...returned], {
    orderId: ([orderId]) => orderId,
    returned: ([, { returned }]) => returned,
    returnedCents: ([, { returnedCents }]) => returnedCents,
    feeCents: ([, { feeCents }]) => feeCents,
  });
  FROZEN.run(sql, [...frozen], { orderId: ([orderId]) => orderId, frozen: ([, isFrozen]) => isFrozen });
  VOID.run(sql, [...isVoid], { orderId: ([orderId]) => orderId, isVoid: ([, isVoidNow]) => isVoidNow });
  LINKED.run(sql, [...links], {
    orderId: ([orderId]) => orderId,
    linkGeneration: ([, { generation }]) => generation,
    buyerId: ([, { buyerId }]) => buyerId,
  });
};

const refunding = (paymentId: string, { occurredAt }: Pick<Recorded<SaleEvent>, 'occurredAt'>): Outcome => ({
  status: 'refunding',
  paymentId,
  at: occurredAt.toISOString(),
});

/** Returns absolute values, so that a replay changes nothing. */
function returnedOf({
  quantity,
  totalCents: paid,
  standing,
  standingCents,
}: Of<'TicketsReturned'>['data']['order']): Returned {
  const feeCents = platformFeeCents(paid);
  const returnedCents = paid - standingCents;
  return {
    returned: quantity - standing,
    returnedCents,
    feeCents: feeCents - feeShareCents(feeCents, paid, returnedCents),
  };
}

const SOLD = tickets.insertMany(['id', 'orderId', 'code', 'ordinal', 'type', 'priceCents', 'soldAt'], {
  same: ['eventId'],
});
const ENDED = tickets.updateMany(['orderId', 'ordinal'], ['refundId']);

/** Writes one row per admission. */
export const projectTickets: Projection<SaleEvent> = (sql, group) => {
  const rows = group.flatMap((event) => {
    if (event.type !== 'TicketsSold') return [];
    const kinds = eachTicket(event.data.lines);
    return event.data.tickets.map((ticket, index) => ({ ...ticket, ...kinds[index]!, ordinal: index + 1, event }));
  });
  SOLD.run(sql, rows, {
    eventId: ({ event }) => Number(event.id),
    id: ({ id }) => id,
    orderId: ({ event }) => event.data.orderId,
    code: ({ code }) => code,
    ordinal: ({ ordinal }) => ordinal,
    type: ({ type }) => type,
    priceCents: ({ priceCents }) => priceCents,
    soldAt: ({ event }) => event.data.at,
  });
  const ended = group.flatMap((event) =>
    event.type === 'TicketsReturned' ? event.data.tickets.map(({ place }) => ({ place, ...event.data })) : [],
  );
  ENDED.run(sql, ended, {
    orderId: ({ orderId }) => orderId,
    ordinal: ({ place }) => place,
    refundId: ({ refundId }) => refundId,
  });
};

const REFUNDED = orderRefunds.insertMany(['refundId', 'orderId', 'cause', 'quantity', 'amountCents', 'requestedAt'], {
  same: ['eventId'],
  rest: 'on conflict do nothing',
});

/** Writes one row per refund: a refund of tickets, or of money that bought no tickets. */
export const projectRefunds: Projection<SaleEvent> = (sql, group) => {
  const refunds = group.filter(
    (event) => event.type === 'TicketsReturned' || event.type === 'PaymentNotFulfilled',
  ) as Array<Of<'TicketsReturned'> | Of<'PaymentNotFulfilled'>>;
  REFUNDED.run(sql, refunds, {
    eventId: ({ id }) => Number(id),
    // An order gets at most one refund without a request, so the order's id identifies it.
    refundId: ({ data }) => ('refundId' in data ? data.refundId : data.orderId),
    orderId: ({ data }) => data.orderId,
    cause: ({ data }) => data.reason,
    quantity: ({ data }) => ('tickets' in data ? data.tickets.length : 0),
    amountCents: ({ data }) => data.amountCents,
    requestedAt: ({ occurredAt }) => occurredAt,
  });
};
