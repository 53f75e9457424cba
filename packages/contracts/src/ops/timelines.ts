import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/** The services that contribute to a timeline. */
export const TimelinePart = z.enum(['catalog', 'ticketing', 'payments', 'identity']);
export type TimelinePart = z.infer<typeof TimelinePart>;

/** Maximum body of a search: its text and a cursor. */
export const MAX_SEARCH_BYTES = 4_096;

/** Ids of the card provider: payment intents, refunds, disputes (older disputes have `du_…`). */
export const PROVIDER_ID = /^(pi|re|pyr|dp|du)_\w{6,200}$/;

/**
 * POST /api/ops/search: the admin's search text. The text is in the body because it may be an email address, and paths
 * are logged.
 */
export const OpsSearchBody = z.strictObject({
  q: z
    .string(fault('invalid.lookup'))
    .trim()
    .min(1, fault('invalid.lookup'))
    .max(254, fault('invalid.too-long', { max: 254 }))
    .regex(/^[^\0]*$/, fault('invalid.text')),
  cursor: optionalField(z.string().max(200)),
});
export type OpsSearchBody = z.infer<typeof OpsSearchBody>;

/** An order in search results, without its buyer. */
export const FoundOrder = z.object({
  orderId: z.uuid(),
  orderNumber: z.string().nullable(),
  eventId: z.int(),
  eventTitle: z.string().nullable(),
  quantity: z.int(),
  amountCents: z.int(),
  status: z.string(),
  heldAt: z.iso.datetime(),
});
export type FoundOrder = z.infer<typeof FoundOrder>;

/** A payment in search results. For a ticket payment, `id` is the id of its order. */
export const FoundPayment = z.object({
  id: z.uuid(),
  paymentId: z.string(),
  purpose: z.string(),
  status: z.string(),
  amountCents: z.int(),
  createdAt: z.iso.datetime(),
});
export type FoundPayment = z.infer<typeof FoundPayment>;

/** POST /internal/ops/search of ticketing and of payments. */
export const FoundOrders = z.object({ orders: z.array(FoundOrder), nextCursor: z.string().nullable() });
export type FoundOrders = z.infer<typeof FoundOrders>;
export const FoundPayments = z.object({ payments: z.array(FoundPayment) });
export type FoundPayments = z.infer<typeof FoundPayments>;

/** Search results: one entry for an order and its payment. `missing`: services that did not respond. */
export const OpsFound = z.object({
  items: z.array(z.object({ id: z.uuid(), order: FoundOrder.nullable(), payment: FoundPayment.nullable() })),
  missing: z.array(TimelinePart),
  nextCursor: z.string().nullable(),
});
export type OpsFound = z.infer<typeof OpsFound>;

/**
 * `type`: the type of the log event, or the kind of row (`mail-sent`). `text`: a sentence for admins, without personal
 * data.
 */
export const TimelineStep = z.object({ at: z.iso.datetime(), type: z.string(), text: z.string() });
export type TimelineStep = z.infer<typeof TimelineStep>;

/**
 * GET /internal/ops/timelines/{id} of ticketing, payments and identity, and /internal/ops/events/{id}/timeline of
 * catalog: one service's steps, oldest first. `known` is false if the service does not have this id.
 */
export const TimelineOf = z.object({ known: z.boolean(), steps: z.array(TimelineStep), isCut: z.boolean() });
export type TimelineOf = z.infer<typeof TimelineOf>;

/**
 * POST /api/ops/timelines/{id}: the history of an order or payment from all services, oldest first. The access is
 * audited.
 */
export const Timeline = z.object({
  id: z.uuid(),
  order: FoundOrder.nullable(),
  payment: FoundPayment.nullable(),
  steps: z.array(TimelineStep.extend({ service: TimelinePart })),
  /** Services whose steps are missing because they did not respond. */
  missing: z.array(TimelinePart),
  /** Services that have more steps than the response contains. */
  cut: z.array(TimelinePart),
});
export type Timeline = z.infer<typeof Timeline>;
