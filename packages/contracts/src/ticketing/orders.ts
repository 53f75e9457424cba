import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { LANGUAGES } from '../common/languages.ts';
import { PaymentStatus } from '../payments/payments.ts';
import { OrderRefund } from './refunds.ts';
import { lineText } from '../common/text.ts';
import { MAX_TICKETS_PER_ORDER, Order, ShownOrderStatus, Ticket } from './tickets.ts';
import { fault } from '../problems/fault.ts';

/**
 * POST /api/orders/:orderId/refund (services/ticketing/PRODUCT.md#refunds): these tickets, or without `ticketIds` all that are still valid.
 * `reason` is shown to the buyer.
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

/** What POST /api/orders/:orderId/refund answers: the refund it made, and the order's status after it. */
export const RefundAnswer = z.object({ orderId: z.uuid(), status: ShownOrderStatus, refund: OrderRefund });
export type RefundAnswer = z.infer<typeof RefundAnswer>;

/** One step in the history of an order. `type` is the log event; `text` a sentence for people. */
export const OrderStep = z.object({ at: z.iso.datetime(), type: z.string(), text: z.string() });
export type OrderStep = z.infer<typeof OrderStep>;

/** What payments knows of an order's payment; cents. GET /internal/orders/:orderId/payment?language= */
export const OrderPayment = z.object({
  /** The provider's intent. */
  paymentId: z.string(),
  status: PaymentStatus,
  amountCents: z.int(),
  /** The platform's fee, what the organizer gets after it, and what has gone back of both. */
  feeCents: z.int(),
  organizerCents: z.int(),
  returnedCents: z.int(),
  succeededAt: z.iso.datetime().nullable(),
  disputes: z.array(z.object({ disputeId: z.string(), cents: z.int(), outcome: z.enum(['open', 'won', 'lost']) })),
  /** Oldest first. */
  history: z.array(OrderStep),
});
export type OrderPayment = z.infer<typeof OrderPayment>;
/** In which language its history is. */
export const OrderPaymentQuery = z.object({ language: z.enum(LANGUAGES).default('en') });
export const OrderPaymentAnswer = z.object({ payment: OrderPayment.nullable() });

/**
 * GET /api/orders/:orderId/managed, for the event's organizer and admins; each look is written down. Without ticket codes: they admit.
 * `payment` is null when nothing was asked to be paid; `paymentUnavailable` says that payments did not answer.
 */
export const ManagedOrder = z.object({
  order: Order.omit({ tickets: true, claimable: true, extendable: true }),
  tickets: z.array(Ticket.omit({ ticketCode: true, qrCode: true })),
  /** Without its history, which is in the order's. */
  payment: OrderPayment.omit({ history: true }).nullable(),
  paymentUnavailable: z.boolean(),
  refunds: z.array(OrderRefund),
  /** Of the sale's log and the payment's, oldest first. */
  history: z.array(OrderStep),
  mails: z.array(
    z.object({ kind: z.string(), status: z.string(), queuedAt: z.iso.datetime(), sentAt: z.iso.datetime().nullable() }),
  ),
});
export type ManagedOrder = z.infer<typeof ManagedOrder>;
