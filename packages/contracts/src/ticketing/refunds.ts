import { z } from 'zod';
import { orUnknown } from '../common/basics.ts';

/** Default refund deadline: hours before the start until which buyers may cancel. */
export const DEFAULT_REFUND_DEADLINE_HOURS = 24;

/** Why an order is refunded. The first three causes are requests by the organizer, an admin, and the buyer. */
export const RefundCause = z.enum([
  'refunded-by-organizer',
  'refunded-by-admin',
  'canceled-by-buyer',
  'event-canceled',
  'refunded-by-provider',
  'too-late',
  'underpaid',
  'order-lost',
]);
export type RefundCause = z.infer<typeof RefundCause>;

/**
 * `requested`: the refund was sent to the bank. `failed`: the bank rejected or returned the refund, which will be
 * retried.
 */
export const RefundState = z.enum(['requested', 'refunded', 'failed']);
export type RefundState = z.infer<typeof RefundState>;

/** A refund of an order, or of some of its tickets. `amount` in cents. */
export const OrderRefund = z.object({
  id: z.uuid(),
  cause: orUnknown(RefundCause),
  reason: z.string().nullable(),
  /** Empty if the refunded payment never got tickets. */
  ticketIds: z.array(z.uuid()),
  amount: z.int(),
  state: orUnknown(RefundState),
  requestedAt: z.iso.datetime(),
  refundedAt: z.iso.datetime().nullable(),
});
export type OrderRefund = z.infer<typeof OrderRefund>;
