import { z } from 'zod';
import { EventStatus, shownOfEvent } from '../catalog/events.ts';
import { envelope, fieldOr, optionalField, orUnknown } from '../common/basics.ts';
import { emailText, lineText, searchText } from '../common/text.ts';
import { OrderLines } from './order-lines.ts';
import { OrderRefund } from './refunds.ts';
import { TICKET_STATUSES } from './ticket-status.ts';
import { fault } from '../problems/fault.ts';

/** Maximum number of tickets per order (services/ticketing/PRODUCT.md#holds). */
export const MAX_TICKETS_PER_ORDER = 10;

const quantity = z
  .int(fault('invalid.quantity'))
  .min(1, fault('invalid.quantity'))
  .max(MAX_TICKETS_PER_ORDER, fault('invalid.quantity'));
const eventId = z.int(fault('invalid.event-id')).positive(fault('invalid.event-id')).max(2_147_483_647);

/**
 * POST /api/order-keys: the key with which a guest's `Idempotency-Key` must begin. A dot and a text of the guest's
 * choice may follow, so one key is enough for several orders. The key is unguessable, so no one else can refer to the
 * same order.
 */
export const GuestKey = z.object({ key: z.string() });
export type GuestKey = z.infer<typeof GuestKey>;

/**
 * POST /api/holds. With an `Idempotency-Key`, a retry returns the same order. The strict schema rejects a price. It
 * also rejects an id for the new order, because order ids are not secret: a client that sent another buyer's order id
 * would get that buyer's response.
 */
export const HoldBody = z.strictObject({
  eventId,
  quantity,
  /**
   * An earlier order of the same buyer, who changed the quantity. The earlier hold is released in the same decision.
   */
  replaces: optionalField(z.strictObject({ orderId: z.uuid(), accessKey: z.string().max(100) })),
});
export type HoldBody = z.infer<typeof HoldBody>;

/** Response to a hold. Amounts in cents, times in UTC. */
export const Hold = z.object({
  orderId: z.uuid(),
  eventId: z.int(),
  quantity: z.int(),
  lines: OrderLines,
  /** Total charge in cents: the sum of the lines, without added fees. */
  amount: z.int(),
  holdUntil: z.iso.datetime(),
  /** True until the hold's single extension is used. */
  extendable: z.boolean(),
  /** The secret of the order's link. A guest sends it instead of a token. */
  accessKey: z.string(),
});
export type Hold = z.infer<typeof Hold>;

/** Types of ticket that an event sells. The type is signed into the ticket, so that buyers cannot change the type. */
export const TicketType = z.literal('general', { error: fault('invalid.ticket-type') });

/**
 * POST /api/create-ticket-payment-intent (services/ticketing/PRODUCT.md#checkout). `orderId` refers to an existing
 * hold. The schema is strict.
 */
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
 * Status of an order.
 * - `held`: waits for a payment.
 * - `processing`: a payment is in progress.
 * - `fulfilled`: has tickets.
 * - `refunding`, `refunded`: all its money is being or was sent back, because it bought nothing or because all its
 *   tickets were returned.
 * - `disputed`: a bank withdrew the money, or gave it back after the tickets had been returned, so that staff decide.
 * - `released`: the buyer gave the hold back.
 * - `expired`: the hold lapsed.
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

/**
 * The status as the frontend parses it: an unrecognized status becomes `unknown`, because an open page may be older
 * than the server.
 */
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

/**
 * The order number that people use: eight characters that can be read aloud, "4F7K-2M9Q". It is unique, not secret.
 * null before the checkout.
 */
const orderNumber = z.string().nullable();

const ticketStatus = orUnknown(z.enum(TICKET_STATUSES));

/**
 * One admission. `qrCode` is the signed text of the QR code, which staff at the door can verify offline; null unless
 * the ticket is valid.
 */
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
  /** In dollars. */
  price: z.number(),
  quantity: z.literal(1),
  status: ticketStatus,
  isCheckedIn: z.boolean(),
  checkedInAt: z.iso.datetime().nullable(),
});
export type Ticket = z.infer<typeof Ticket>;

/** Ticketing's copy of the event, for tickets and orders. */
export const TicketEvent = z.object({
  id: z.int(),
  ...shownOfEvent,
  status: EventStatus,
  /** Moderators suspended the event: its sale is closed, and tickets stay valid. */
  isSuspended: z.boolean().optional(),
  /** The event's version in the catalog, which increases with each change. */
  version: z.int().optional(),
});
export type TicketEvent = z.infer<typeof TicketEvent>;

/** An entry of GET /api/tickets/my-tickets, which returns a list (services/ticketing/PRODUCT.md#tickets). */
export const MyTicket = z.object({ ticket: Ticket, event: TicketEvent });
export type MyTicket = z.infer<typeof MyTicket>;
export const MyTickets = z.array(MyTicket);

/** POST /api/orders/:orderId/link: the secret of the order's new link. The previous link stops working. */
export const OrderLink = z.object({ accessKey: z.string() });
export type OrderLink = z.infer<typeof OrderLink>;

/** GET /api/orders/:orderId, for the order's buyer, or with the link's secret in `x-order-key`. `amount` in cents. */
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
  /** True if a guest bought the order, and no account has claimed it yet: POST /api/orders/:orderId/claim. */
  claimable: z.boolean(),
  /** Whether the order's buyer may cancel tickets now. */
  refundable: z.boolean(),
  /**
   * Deadline for canceling: the promised number of hours before the event. null: there is no deadline, because
   * canceling is not possible, or because the event has no date and canceling is possible at any time (see
   * `refundable`).
   */
  refundableUntil: z.iso.datetime().nullable(),
  /** Refunds, done or in progress, oldest first. */
  refunds: z.array(OrderRefund),
  event: TicketEvent,
  tickets: z.array(Ticket),
});
export type Order = z.infer<typeof Order>;

/**
 * GET /api/orders?number=4F7K-2M9Q, for support (admins). The number is case-insensitive, with or without its hyphen; O
 * and I are read as 0 and 1.
 */
export const OrderSearch = z.object({ number: z.string().max(30) });
export const FoundOrder = Order.omit({ tickets: true, claimable: true, extendable: true }).extend({
  /** The provider's id of the order's payment. */
  paymentId: z.string().nullable(),
});
export type FoundOrder = z.infer<typeof FoundOrder>;

/** Sales of one of the caller's events. In dollars. */
export const EventSales = z.object({
  eventId: z.int(),
  orders: z.int(),
  tickets: z.int(),
  /** What buyers paid, including the platform's fee, without refunded orders, returned tickets and lost disputes. */
  revenue: z.number(),
  /** The platform's 5 % of the revenue, rounded to the cent per order. */
  fee: z.number(),
  /** The organizer's share. */
  share: z.number(),
});
export type EventSales = z.infer<typeof EventSales>;
/** GET /api/tickets/sales: the caller's own events that sold tickets. */
export const SalesList = z.array(EventSales);

/** An order as its event's organizer sees it. */
export const Attendee = z.object({
  orderId: z.uuid(),
  orderNumber,
  name: z.string(),
  quantity: z.int(),
  /** Status of the tickets that the order still has, or of all its tickets if all were returned. */
  status: ticketStatus,
  /** The paid amount in dollars. */
  amount: z.number(),
  orderedAt: z.iso.datetime(),
});
export type Attendee = z.infer<typeof Attendee>;

/** GET /api/events/:id/attendees, for the event's organizer. */
export const AttendeeQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  /** `next` of the previous page. */
  after: z.string().max(200).optional(),
  /** Part of a name, or an order number. */
  search: searchText(100).optional(),
});
/**
 * First the orders that still have tickets, then the orders whose tickets were all returned; each group is sorted by
 * the time of the hold. `next`: where the next page starts; null on the last page.
 */
export const AttendeePage = z.object({ attendees: z.array(Attendee), next: z.string().nullable() });
export type AttendeePage = z.infer<typeof AttendeePage>;

/** GET /api/events/:id/availability */
export const Availability = z.object({
  eventId: z.int(),
  capacity: z.int(),
  sold: z.int(),
  held: z.int(),
  /** The sale's version. The response with the higher version is newer. */
  version: z.int(),
});
export type Availability = z.infer<typeof Availability>;

/** One buyer's `POST /api/holds`, forwarded by the gateway. `body` is the original text, which ticketing validates. */
export const HoldRequest = z.object({
  /** The `Authorization` header. */
  authorization: z.string().exactOptional(),
  /** The `Idempotency-Key` header, or a key that the gateway generated. */
  key: z.string(),
  /** Set if the gateway generated the key. Absent: the client sent the key. */
  gatewayKey: z.literal(true).exactOptional(),
  /** The client's IP address at the gateway. Absent: the request counts toward no network's limit. */
  address: z.string().exactOptional(),
  requestId: z.string(),
  /** The gateway's span, if the trace is recorded. */
  traceparent: z.string().exactOptional(),
  body: z.string(),
});
export type HoldRequest = z.infer<typeof HoldRequest>;

/** POST /internal/holds: concurrent holds in one request (docs/decisions/0013). */
export const HoldBatch = z.object({ holds: z.array(HoldRequest) });
export type HoldBatch = z.infer<typeof HoldBatch>;

/** The response for that buyer: a `Hold` (201) or a problem. */
export const HoldAnswer = z.object({ status: z.int(), body: z.string(), retryAfter: z.int().exactOptional() });
export type HoldAnswer = z.infer<typeof HoldAnswer>;

/** The answers are in the order of the requests. */
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

/** A guest's order was saved to an account, which owns the order from now on. */
export const OrderClaimedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.order-claimed'),
  version: z.literal(1),
  data: z.object({ ...orderFacts, buyerId: z.int() }),
});
export type OrderClaimedV1 = z.infer<typeof OrderClaimedV1>;

/**
 * A lost dispute made all tickets of an order void, or a won dispute made them valid again. `version` is the sale's
 * version in its log. The message with the higher version is newer.
 */
export const OrderValidityChangedV1 = z.object({
  ...envelope,
  type: z.literal('ticketing.order-validity-changed'),
  version: z.literal(1),
  data: z.object({ orderId: z.uuid(), eventId: z.int(), isVoid: z.boolean(), version: z.int().positive() }),
});
export type OrderValidityChangedV1 = z.infer<typeof OrderValidityChangedV1>;

/**
 * A refund of an order was requested. `requestId` identifies a partial refund of `amountCents`, after which the order
 * keeps its other tickets; null: everything not yet refunded is refunded.
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
