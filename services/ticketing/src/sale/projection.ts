import { uuids, type Projection, type Recorded } from '@beltway/event-store';
import { availability, orders, tickets } from '../columns.ts';
import type { SaleEvent, Terms } from './events.ts';

const TERMS = ['organiserId', 'capacity', 'priceCents', 'opensAt', 'closesAt'] as const;
const MOVED = ['sold', 'held', 'revenueCents'] as const;
const OPENED = availability.insert(['eventId', ...TERMS, 'version']);
const STOCK_MOVED = availability.update('eventId', ['version'], MOVED);
const STOCK_CLOSED = availability.update('eventId', ['version', 'closed'], MOVED);
const TERMS_CHANGED = availability.update('eventId', ['version', 'closed', ...TERMS], MOVED);

/** How many are there, sold, held: one row per sale, written once per group. */
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
        sql.query(OPENED.text, OPENED.values({ ...data, eventId, version: 0 }));
        closed = null; // a replay has an earlier withdrawal in the same group
        break;
      case 'SaleChanged':
        terms = data;
        closed = null;
        break;
      case 'SaleClosed':
        closed = data.reason;
        break;
      case 'TicketsHeld':
        held += data.quantity;
        break;
      case 'HoldReleased':
        held -= data.quantity;
        break;
      case 'TicketsSold':
        held -= data.fromHold;
        sold += data.quantity;
        revenueCents += data.quantity * data.priceCents;
        break;
      case 'TicketsReturned':
        sold -= data.quantity;
        revenueCents -= data.amountCents;
        break;
      case 'HoldExtended':
      case 'PaymentAttached':
      case 'PaymentNotFulfilled':
      case 'MoneyWithdrawn':
      case 'OrderClaimed':
      case 'LinkRenewed':
        break; // none of them moves stock
    }
  }

  const stock = { eventId, sold, held, revenueCents, version: last.version };
  if (terms) sql.query(TERMS_CHANGED.text, TERMS_CHANGED.values({ ...terms, ...stock, closed: closed ?? null }));
  else if (closed !== undefined) sql.query(STOCK_CLOSED.text, STOCK_CLOSED.values({ ...stock, closed }));
  else sql.query(STOCK_MOVED.text, STOCK_MOVED.values(stock));
};

type Of<Type extends SaleEvent['type']> = Extract<Recorded<SaleEvent>, { type: Type }>;

interface Outcome {
  status: 'expired' | 'released' | 'fulfilled' | 'refunding';
  paymentId: string | null;
  at: string;
}

interface Link {
  generation: number;
  /** The account that claimed the order. */
  buyerId: number | null;
}

const HELD_FIELDS = ['orderId', 'buyerId', 'quantity', 'priceCents', 'heldAt', 'holdUntil'] as const;
const HELD = orders.insertMany(HELD_FIELDS, { same: ['eventId'], fixed: { status: `'held'` } });
const HELD_AND_SETTLED = orders.insertMany([...HELD_FIELDS, 'extended', 'status', 'paymentId', 'settledAt'], {
  same: ['eventId'],
});
const EXTENDED = orders.updateMany('orderId', ['holdUntil', 'extended'], {
  extended: 'orders.extended or n.extended',
});
const ATTACHED = orders.updateMany('orderId', ['paymentId']);
const SETTLED = orders.updateMany('orderId', ['status', 'paymentId', 'settledAt'], {
  paymentId: 'coalesce(n.payment_id, orders.payment_id)',
});
const LINKED = orders.updateMany('orderId', ['linkGeneration', 'buyerId'], {
  buyerId: 'coalesce(n.buyer_id, orders.buyer_id)',
});

const heldValues = {
  eventId: ({ id }: Of<'TicketsHeld'>) => Number(id),
  orderId: ({ data }: Of<'TicketsHeld'>) => data.orderId,
  buyerId: ({ data }: Of<'TicketsHeld'>) => data.buyerId,
  quantity: ({ data }: Of<'TicketsHeld'>) => data.quantity,
  priceCents: ({ data }: Of<'TicketsHeld'>) => data.priceCents,
  heldAt: ({ data }: Of<'TicketsHeld'>) => data.at,
  holdUntil: ({ data }: Of<'TicketsHeld'>) => data.until,
};

/**
 * What became of each order. A row is made by its hold and follows the last event of the group: one that was held,
 * extended and settled in the same group (a replay of the log) is written once, as it ended.
 */
export const projectOrders: Projection<SaleEvent> = (sql, group) => {
  const held: Of<'TicketsHeld'>[] = [];
  const extensions = new Map<string, { until: string; asked: boolean }>();
  const attached = new Map<string, string>();
  const outcomes = new Map<string, Outcome>();
  const links = new Map<string, Link>();

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
        outcomes.set(data.orderId, { status: 'fulfilled', paymentId: data.paymentId, at: data.at });
        break;
      case 'PaymentNotFulfilled':
      case 'TicketsReturned':
        outcomes.set(data.orderId, {
          status: 'refunding',
          paymentId: data.paymentId,
          at: event.occurredAt.toISOString(),
        });
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
        break; // about the sale, or about a payment: what became of its order other events say
    }
  }

  const isFresh = ({ data: { orderId, extended } }: Of<'TicketsHeld'>) =>
    !extended && !extensions.has(orderId) && !attached.has(orderId) && !outcomes.has(orderId);
  const fresh = held.filter(isFresh);
  if (fresh.length > 0) sql.query(HELD.text, HELD.values(fresh, heldValues));
  if (fresh.length < held.length) {
    const settled = held.filter((event) => !isFresh(event));
    const outcomeOf = ({ data }: Of<'TicketsHeld'>) => outcomes.get(data.orderId);
    const extensionOf = ({ data }: Of<'TicketsHeld'>) => extensions.get(data.orderId);
    sql.query(
      HELD_AND_SETTLED.text,
      HELD_AND_SETTLED.values(settled, {
        ...heldValues,
        holdUntil: (event) => extensionOf(event)?.until ?? event.data.until,
        extended: (event) => event.data.extended === true || extensionOf(event)?.asked === true,
        status: (event) => outcomeOf(event)?.status ?? 'held',
        paymentId: (event) => outcomeOf(event)?.paymentId ?? attached.get(event.data.orderId) ?? null,
        settledAt: (event) => outcomeOf(event)?.at ?? null,
      }),
    );
    for (const { data } of settled) {
      extensions.delete(data.orderId);
      attached.delete(data.orderId);
      outcomes.delete(data.orderId);
    }
  }
  if (extensions.size > 0)
    sql.query(
      EXTENDED.text,
      EXTENDED.values([...extensions], {
        orderId: ([orderId]) => orderId,
        holdUntil: ([, { until }]) => until,
        extended: ([, { asked }]) => asked,
      }),
    );
  if (attached.size > 0)
    sql.query(
      ATTACHED.text,
      ATTACHED.values([...attached], { orderId: ([orderId]) => orderId, paymentId: ([, paymentId]) => paymentId }),
    );
  if (outcomes.size > 0)
    sql.query(
      SETTLED.text,
      SETTLED.values([...outcomes], {
        orderId: ([orderId]) => orderId,
        status: ([, { status }]) => status,
        paymentId: ([, { paymentId }]) => paymentId,
        settledAt: ([, { at }]) => at,
      }),
    );
  // After the rows are there: a replay has hold, sale and claim in one group.
  if (links.size > 0)
    sql.query(
      LINKED.text,
      LINKED.values([...links], {
        orderId: ([orderId]) => orderId,
        linkGeneration: ([, { generation }]) => generation,
        buyerId: ([, { buyerId }]) => buyerId,
      }),
    );
};

const SOLD = tickets.insertMany(['id', 'orderId', 'code', 'ordinal', 'priceCents', 'soldAt'], { same: ['eventId'] });

/** One row per admission. */
export const projectTickets: Projection<SaleEvent> = (sql, group) => {
  const rows = group.flatMap((event) =>
    event.type === 'TicketsSold'
      ? event.data.tickets.map((ticket, index) => ({ ...ticket, ordinal: index + 1, event }))
      : [],
  );
  if (rows.length > 0)
    sql.query(
      SOLD.text,
      SOLD.values(rows, {
        eventId: ({ event }) => Number(event.id),
        id: ({ id }) => id,
        orderId: ({ event }) => event.data.orderId,
        code: ({ code }) => code,
        ordinal: ({ ordinal }) => ordinal,
        priceCents: ({ event }) => event.data.priceCents,
        soldAt: ({ event }) => event.data.at,
      }),
    );
  const returned = group.flatMap((event) => (event.type === 'TicketsReturned' ? [event.data.orderId] : []));
  if (returned.length > 0)
    sql.query(`update tickets set status = 'refunded' where order_id = any($1::uuid[])`, [uuids(returned)]);
};
