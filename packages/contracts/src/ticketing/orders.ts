import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { LANGUAGES } from '../common/languages.ts';
import { PaymentStatus } from '../payments/payments.ts';
import { OrderRefund } from './refunds.ts';
import { blockText, emailText, lineText } from '../common/text.ts';
import { MAX_TICKETS_PER_ORDER, Order, ShownOrderStatus, Ticket } from './tickets.ts';
import { fault } from '../problems/fault.ts';

/**
 * POST /api/orders/:orderId/refund (services/ticketing/PRODUCT.md#refunds): refunds the given tickets, or all valid
 * tickets if `ticketIds` is absent. The buyer sees `reason`.
 */
export const RefundBody = z.strictObject({
  ticketIds: optionalField(
    z
      .array(z.uuid())
      .min(1, fault('invalid.one-ticket'))
      .max(MAX_TICKETS_PER_ORDER)
      .refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, fault('invalid.ticket-twice')),
  ),
  reason: optionalField(lineText(200, 'invalid.reason-empty')),
});
export type RefundBody = z.infer<typeof RefundBody>;

/** Response of POST /api/orders/:orderId/refund: the new refund, and the order's status after the refund. */
export const RefundAnswer = z.object({ orderId: z.uuid(), status: ShownOrderStatus, refund: OrderRefund });
export type RefundAnswer = z.infer<typeof RefundAnswer>;

/** One step in the history of an order. `type` is the type of the log event; `text` is a sentence for people. */
export const OrderStep = z.object({ at: z.iso.datetime(), type: z.string(), text: z.string() });
export type OrderStep = z.infer<typeof OrderStep>;

/** GET /internal/orders/:orderId/payment?language= of payments: an order's payment. In cents. */
export const OrderPayment = z.object({
  /** The id of the provider's intent. */
  paymentId: z.string(),
  status: PaymentStatus,
  amountCents: z.int(),
  /** The platform's fee, the organizer's share, and the returned parts of fee and share. */
  feeCents: z.int(),
  organizerCents: z.int(),
  returnedCents: z.int(),
  succeededAt: z.iso.datetime().nullable(),
  disputes: z.array(z.object({ disputeId: z.string(), cents: z.int(), outcome: z.enum(['open', 'won', 'lost']) })),
  /** Oldest first. */
  history: z.array(OrderStep),
});
export type OrderPayment = z.infer<typeof OrderPayment>;
/** The language of the payment's history. */
export const OrderPaymentQuery = z.object({ language: z.enum(LANGUAGES).default('en') });
export const OrderPaymentAnswer = z.object({ payment: OrderPayment.nullable() });

/**
 * GET /api/orders/:orderId/managed, for the event's organizer and admins; each access is audited. The response omits
 * ticket codes, because a ticket code admits anyone who has it. `payment` is null if no payment was requested;
 * `paymentUnavailable`: payments did not respond.
 */
export const ManagedOrder = z.object({
  order: Order.omit({ tickets: true, claimable: true, extendable: true }),
  tickets: z.array(Ticket.omit({ ticketCode: true, qrCode: true })),
  /** The payment without its history, which is part of `history` below. */
  payment: OrderPayment.omit({ history: true }).nullable(),
  paymentUnavailable: z.boolean(),
  refunds: z.array(OrderRefund),
  /** Steps from the log of the sale and of the payment, oldest first. */
  history: z.array(OrderStep),
  mails: z.array(
    z.object({ kind: z.string(), status: z.string(), queuedAt: z.iso.datetime(), sentAt: z.iso.datetime().nullable() }),
  ),
});
export type ManagedOrder = z.infer<typeof ManagedOrder>;

/**
 * PUT /api/orders/:orderId/address, for the event's organizer or an admin: corrects the buyer's mistyped email address.
 */
export const OrderAddressBody = z.strictObject({ email: emailText() });
export type OrderAddressBody = z.infer<typeof OrderAddressBody>;

/** Maximum characters of a message about an order. */
export const MAX_ORDER_MESSAGE = 2_000;

/**
 * POST /api/orders/:orderId/messages: mails a text from the buyer to the organizer, or from the organizer to the buyer,
 * without revealing their email addresses.
 */
export const OrderMessageBody = z.strictObject({ text: blockText(MAX_ORDER_MESSAGE, 'invalid.something') });
export type OrderMessageBody = z.infer<typeof OrderMessageBody>;

/** Another order of the same buyer for the same event and quantity, paid within minutes. */
export const IdenticalOrder = z.object({
  orderId: z.uuid(),
  orderNumber: z.string().nullable(),
  quantity: z.int(),
  boughtAt: z.iso.datetime(),
});
export type IdenticalOrder = z.infer<typeof IdenticalOrder>;

/**
 * GET /api/orders/:orderId/identical: an order that may be the same purchase. Before paying, the buyer should confirm
 * that the new order is not a duplicate. null: none.
 */
export const IdenticalOrderAnswer = z.object({ order: IdenticalOrder.nullable() });
export type IdenticalOrderAnswer = z.infer<typeof IdenticalOrderAnswer>;
