import { z } from 'zod';
import { orUnknown } from '../common/basics.ts';

/** Hours before an event's start until which its buyers may cancel, where its organizer says nothing else. */
export const DEFAULT_REFUND_DEADLINE_HOURS = 24;

/** Why money goes back for an order. The first three are asked for: by the organizer, by an admin, by the buyer. */
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

/** `requested`: on its way to the bank. `failed`: the bank refused it or sent it back, and it is tried again. */
export const RefundState = z.enum(['requested', 'refunded', 'failed']);
export type RefundState = z.infer<typeof RefundState>;

/** Money that goes back for an order, or for some of its tickets. `amount` in cents. */
export const OrderRefund = z.object({
  id: z.uuid(),
  cause: orUnknown(RefundCause),
  reason: z.string().nullable(),
  /** Of a payment that got no tickets: none. */
  ticketIds: z.array(z.uuid()),
  amount: z.int(),
  state: orUnknown(RefundState),
  requestedAt: z.iso.datetime(),
  refundedAt: z.iso.datetime().nullable(),
});
export type OrderRefund = z.infer<typeof OrderRefund>;
