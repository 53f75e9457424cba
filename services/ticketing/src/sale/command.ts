import { z } from 'zod';
import type { Context } from '@beltway/event-store';
import type { SaleCommand } from './events.ts';

const id = z.string().min(1).max(200);
const orderId = z.uuid();
const at = z.iso.datetime();
const quantity = z.int().min(0);
const cents = z.int().min(0);
const buyerId = z.int().nullable();
const linkGeneration = z.int().positive();
const guest = z.string().min(1).max(64);
const instant = z.iso.datetime().nullable();
const catalogVersion = z.int().min(0).exactOptional();

const terms = z.strictObject({
  capacity: z.int().min(0),
  priceCents: cents,
  organiserId: z.int(),
  opensAt: instant,
  closesAt: instant,
  endsAt: at.exactOptional(),
  catalogVersion,
});
const tickets = z.array(z.strictObject({ id: z.string(), code: z.string() }));
const released = z.enum([
  'given-back',
  'replaced',
  'expired',
  'payment-unavailable',
  'event-cancelled',
  'money-withdrawn',
]);

const SaleCommand = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('OfferTickets'), terms }),
  z.strictObject({ type: z.literal('CloseSale'), reason: z.enum(['cancelled', 'withdrawn']), catalogVersion }),
  z.strictObject({
    type: z.literal('HoldTickets'),
    orderId,
    quantity,
    buyerId,
    guest: guest.exactOptional(),
    at,
    replaces: z.uuid().exactOptional(),
    closedPaymentId: id.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('AttachPayment'),
    orderId,
    paymentId: id,
    instead: id.exactOptional(),
    guest: guest.exactOptional(),
    at,
  }),
  z.strictObject({ type: z.literal('ExtendHold'), orderId, at }),
  z.strictObject({ type: z.literal('RecordDecline'), orderId, at }),
  z.strictObject({ type: z.literal('AwaitMoney'), orderId, at }),
  z.strictObject({
    type: z.literal('ReleaseHold'),
    orderId,
    reason: released,
    at,
    closedPaymentId: id.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('SellTickets'),
    orderId,
    quantity,
    priceCents: cents,
    paymentId: id,
    buyerId,
    at,
    tickets,
  }),
  z.strictObject({
    type: z.literal('ReturnTickets'),
    orderId,
    quantity,
    paymentId: z.string(),
    amountCents: cents,
    reason: z.enum(['event-cancelled', 'refunded-by-provider']),
  }),
  z.strictObject({ type: z.literal('WithdrawMoney'), orderId, paymentId: id }),
  z.strictObject({ type: z.literal('ClaimOrder'), orderId, quantity, buyerId: z.int(), linkGeneration }),
  z.strictObject({ type: z.literal('RenewLink'), orderId, linkGeneration }),
]) satisfies z.ZodType<SaleCommand>;

const CommandContext = z.strictObject({
  commandId: id,
  fingerprint: id.exactOptional(),
  userId: z.int().exactOptional(),
  correlationId: id.exactOptional(),
  causationId: id.exactOptional(),
}) satisfies z.ZodType<Context>;

/** A sale's command as one instance of ticketing forwards it to another: `POST /internal/sales/:id/commands`. */
export const ForwardedCommand = z.strictObject({ command: SaleCommand, context: CommandContext });
export type ForwardedCommand = z.infer<typeof ForwardedCommand>;
