import { z } from 'zod';
import { EventStatus, shownOfEvent } from '../catalog/events.ts';
import { envelope, fieldOr, optionalField, orUnknown } from '../common/basics.ts';
import { emailText, lineText, searchText } from '../common/text.ts';
import { OrderLines } from './order-lines.ts';
import { OrderRefund } from './refunds.ts';
import { TICKET_STATUSES } from './ticket-status.ts';
import { fault } from '../problems/fault.ts';

/** One to ten per purchase (services/ticketing/PRODUCT.md#holds). */
export const MAX_TICKETS_PER_ORDER = 10;

const quantity = z
  .int(fault('invalid.quantity'))
  .min(1, fault('invalid.quantity'))
  .max(MAX_TICKETS_PER_ORDER, fault('invalid.quantity'));
const eventId = z.int(fault('invalid.event-id')).positive(fault('invalid.event-id')).max(2_147_483_647);

/**
 * POST /api/order-keys: the key a guest's `Idempotency-Key` begins with. It may be followed by a dot and text of the guest's own,
 * so that one key is enough for several orders. Unguessable: nobody else can name the same order.
 */
export const GuestKey = z.object({ key: z.string() });
export type GuestKey = z.infer<typeof GuestKey>;

/**
 * POST /api/holds. With an `Idempotency-Key` a retry is the same order. Strict: no price comes from a client, and no order id,
 * which is no secret: who sent another's would be answered as its buyer.
 */
export const HoldBody = z.strictObject({
  eventId,
  quantity,
  /** An order of the same buyer whose hold is given back in the same decision (quantity changed). */
  replaces: optionalField(z.strictObject({ orderId: z.uuid(), accessKey: z.string().max(100) })),
});
export type HoldBody = z.infer<typeof HoldBody>;

/** What a hold answers. Amounts in cents, times in UTC. */
export const Hold = z.object({
  orderId: z.uuid(),
  eventId: z.int(),
  quantity: z.int(),
  lines: OrderLines,
  /** What will be charged, in cents: the sum of the lines, nothing added. */
  amount: z.int(),
  holdUntil: z.iso.datetime(),
  /** True while the one extension is still to be had. */
  extendable: z.boolean(),
  /** The secret of this order's link; a guest shows it instead of a token. */
  accessKey: z.string(),
});
export type Hold = z.infer<typeof Hold>;

/** Kinds of ticket that an event sells. It stands on the signed ticket: a buyer cannot name their own. */
export const TicketType = z.literal('general', { error: fault('invalid.ticket-type') });

/** POST /api/create-ticket-payment-intent (services/ticketing/PRODUCT.md#checkout); `orderId` names a hold made before. Strict. */
export const CreateTicketPaymentIntentBody = z.strictObject({
  eventId,
  quantity,
  ticketHolderName: lineText(100, 'invalid.name'),
  ticketHolderEmail: emailText(),
  ticketType: fieldOr(TicketType, 'general'),
  orderId: optionalField(z.uuid()),
  accessKey: optionalField(z.string().max(100)),
});
export type CreateTicketPaymentIntentBody = z.infer<typeof CreateTicketPaymentIntentBody>;

export const TicketPaymentIntent = Hold.extend({ clientSecret: z.string(), paymentIntentId: z.string() });
export type TicketPaymentIntent = z.infer<typeof TicketPaymentIntent>;

/** POST /api/process-ticket-purchase (services/ticketing/PRODUCT.md#checkout). */
export const ProcessTicketPurchaseBody = z.strictObject({
  paymentIntentId: z.string().regex(/^pi_[A-Za-z0-9_]{6,200}$/),
});
export type ProcessTicketPurchaseBody = z.infer<typeof ProcessTicketPurchaseBody>;

/**
 * What became of an order. `held` waits for money, `processing` has money on its way, `fulfilled` has tickets,
 * `refunded` was paid too late for the last tickets or canceled afterwards, `released` gave its hold back, `expired` let it run out.
 */
export const OrderStatus = z.enum([
  'held',
  'processing',
  'fulfilled',
  'refunding',
  'refunded',
  'disputed',
  'released',
  'expired',
]);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** As a page reads it. */
export const ShownOrderStatus = orUnknown(OrderStatus);
export type ShownOrderStatus = z.infer<typeof ShownOrderStatus>;

export const TicketPurchaseResult = z.object({
  orderId: z.uuid(),
  status: ShownOrderStatus,
  eventId: z.int(),
  eventTitle: z.string(),
  quantity: z.int(),
});
export type TicketPurchaseResult = z.infer<typeof TicketPurchaseResult>;

/** What people call an order by: eight characters that can be read out, "4F7K-2M9Q". Unique, and no secret. Null before the checkout. */
const orderNumber = z.string().nullable();

const ticketStatus = orUnknown(z.enum(TICKET_STATUSES));

/** One admission. `qrCode` is the signed text the QR shows, which a door can check without a network; null for a ticket that is void. */
export const Ticket = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  orderNumber,
  eventId: z.int(),
  purchaseDate: z.iso.datetime(),
  ticketCode: z.string(),
  qrCode: z.string().nullable(),
  ticketHolderName: z.string(),
  ticketHolderEmail: z.string(),
  ticketType: z.string(),
  /** Dollars. */
  price: z.number(),
  quantity: z.literal(1),
  status: ticketStatus,
  isCheckedIn: z.boolean(),
  checkedInAt: z.iso.datetime().nullable(),
});
export type Ticket = z.infer<typeof Ticket>;

/** What ticketing knows of the event, for tickets and orders. */
export const TicketEvent = z.object({
  id: z.int(),
  ...shownOfEvent,
  status: EventStatus,
  /** Of the event: counts its changes. */
  version: z.int().optional(),
});
export type TicketEvent = z.infer<typeof TicketEvent>;

/** GET /api/tickets/my-tickets answers a list of these (services/ticketing/PRODUCT.md#tickets). */
export const MyTicket = z.object({ ticket: Ticket, event: TicketEvent });
export type MyTicket = z.infer<typeof MyTicket>;
export const MyTickets = z.array(MyTicket);

/** POST /api/orders/:orderId/link: the order's new secret; the one before opens nothing any more. */
export const OrderLink = z.object({ accessKey: z.string() });
export type OrderLink = z.infer<typeof OrderLink>;

/** GET /api/orders/:orderId, for its buyer, or with the link's secret in `x-order-key`. `amount` in cents. */
export const Order = z.object({
  orderId: z.uuid(),
  orderNumber,
  status: ShownOrderStatus,
  quantity: z.int(),
  lines: OrderLines,
  amount: z.int(),
  holdUntil: z.iso.datetime().nullable(),
  extendable: z.boolean(),
  ticketHolderName: z.string().nullable(),
  ticketHolderEmail: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Bought by a guest and not saved to an account: POST /api/orders/:orderId/claim. */
  claimable: z.boolean(),
  /** Whether its buyer may cancel tickets right now. */
  refundable: z.boolean(),
  /** Until then: so many hours before the event, as was promised. Null: never, or while the event has no date always. */
  refundableUntil: z.iso.datetime().nullable(),
  /** What went back or is going back, oldest first. */
  refunds: z.array(OrderRefund),
  event: TicketEvent,
  tickets: z.array(Ticket),
});
export type Order = z.infer<typeof Order>;

/** GET /api/orders?number=4F7K-2M9Q, for support (admins). In any case, with or without its hyphen; O and I are read as 0 and 1. */
export const OrderSearch = z.object({ number: z.string().max(30) });
export const FoundOrder = Order.omit({ tickets: true, claimable: true, extendable: true }).extend({
  /** The provider's id of its payment. */
  paymentId: z.string().nullable(),
});
export type FoundOrder = z.infer<typeof FoundOrder>;

/** What an own event has sold. Dollars. */
export const EventSales = z.object({
  eventId: z.int(),
  orders: z.int(),
  tickets: z.int(),
  /** Taken from buyers, at the price that each paid: orders that were refunded are out, the platform's fee is in. */
  revenue: z.number(),
  /** The platform's 5 % of it, rounded to the cent for each order. */
  fee: z.number(),
  /** What is left of it for the organizer. */
  share: z.number(),
});
export type EventSales = z.infer<typeof EventSales>;
/** GET /api/tickets/sales answers this for the caller's own events; one that sold nothing is not in it. */
export const SalesList = z.array(EventSales);

/** An order as the organizer of its event sees it. */
export const Attendee = z.object({
  orderId: z.uuid(),
  orderNumber,
  name: z.string(),
  quantity: z.int(),
  /** As of its tickets, which are void together. */
  status: ticketStatus,
  /** What was paid, dollars. */
  amount: z.number(),
  orderedAt: z.iso.datetime(),
});
export type Attendee = z.infer<typeof Attendee>;

/** GET /api/events/:id/attendees, for the event's organizer. */
export const AttendeeQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  /** The `next` of the page before. */
  after: z.string().max(200).optional(),
  /** Part of a name, or an order number. */
  search: searchText(100).optional(),
});
/** Those with valid tickets first, each in the order of their purchases. `next`: where the next page begins; null on the last. */
export const AttendeePage = z.object({ attendees: z.array(Attendee), next: z.string().nullable() });
export type AttendeePage = z.infer<typeof AttendeePage>;

/** GET /api/events/:id/availability */
export const Availability = z.object({
  eventId: z.int(),
  capacity: z.int(),
  sold: z.int(),
  held: z.int(),
  /** The sale's version: of two answers the higher is the newer. */
  version: z.int(),
});
export type Availability = z.infer<typeof Availability>;

/** One buyer's `POST /api/holds` as the gateway hands it on: what ticketing checks is text, as it came. */
export const HoldRequest = z.object({
  /** The `Authorization` header. */
  authorization: z.string().exactOptional(),
  /** The `Idempotency-Key` header, or one of the gateway's own. */
  key: z.string(),
  /** Set when the key is the gateway's own. Missing: the client sent it. */
  gatewayKey: z.literal(true).exactOptional(),
  /** The client's, as the gateway saw it. Missing: it counts for no network. */
  address: z.string().exactOptional(),
  requestId: z.string(),
  /** Of the gateway's span, where the trace is recorded. */
  traceparent: z.string().exactOptional(),
  body: z.string(),
});
export type HoldRequest = z.infer<typeof HoldRequest>;

/** POST /internal/holds: concurrent holds in one request (docs/decisions/0013). */
export const HoldBatch = z.object({ holds: z.array(HoldRequest) });
export type HoldBatch = z.infer<typeof HoldBatch>;

/** What that buyer is answered: a `Hold` (201), or a problem. */
export const HoldAnswer = z.object({ status: z.int(), body: z.string(), retryAfter: z.int().exactOptional() });
export type HoldAnswer = z.infer<typeof HoldAnswer>;

/** In the order of the requests. */
export const HoldBatchAnswer = z.object({ answers: z.array(HoldAnswer) });
export type HoldBatchAnswer = z.infer<typeof HoldBatchAnswer>;

const orderFacts = { orderId: z.uuid(), eventId: z.int(), quantity: z.int().positive() };

export const StockChangedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.stock-changed'),
  version: z.literal(1),
  data: Availability,
});
export type StockChangedV1 = z.infer<typeof StockChangedV1>;

export const TicketPurchasedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.ticket-purchased'),
  version: z.literal(1),
  data: z.object({
    ...orderFacts,
    lines: OrderLines,
    totalCents: z.int(),
    paymentId: z.string(),
    buyerId: z.int().nullable(),
  }),
});
export type TicketPurchasedV1 = z.infer<typeof TicketPurchasedV1>;

/** A guest's order was saved to an account, which it belongs to from now on. */
export const OrderClaimedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.order-claimed'),
  version: z.literal(1),
  data: z.object({ ...orderFacts, buyerId: z.int() }),
});
export type OrderClaimedV1 = z.infer<typeof OrderClaimedV1>;

/**
 * A lost dispute makes all tickets of an order void, and a won one makes them valid again. `version` counts the sale's log: of two messages
 * the higher is the newer.
 */
export const OrderValidityChangedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.order-validity-changed'),
  version: z.literal(1),
  data: z.object({ orderId: z.uuid(), eventId: z.int(), isVoid: z.boolean(), version: z.int().positive() }),
});
export type OrderValidityChangedV1 = z.infer<typeof OrderValidityChangedV1>;

/**
 * Money of an order goes back. `requestId` names the part of it, `amountCents`, that was asked for: the order keeps what was not
 * returned. null: the whole, all that has not gone back yet.
 */
export const RefundRequestedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.refund-requested'),
  version: z.literal(1),
  data: z.object({
    ...orderFacts,
    paymentId: z.string(),
    amountCents: z.int(),
    reason: z.string(),
    requestId: z.uuid().nullable(),
  }),
});
export type RefundRequestedV1 = z.infer<typeof RefundRequestedV1>;

export const SoldOutV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.sold-out'),
  version: z.literal(1),
  data: z.object({ eventId: z.int() }),
});
export type SoldOutV1 = z.infer<typeof SoldOutV1>;
