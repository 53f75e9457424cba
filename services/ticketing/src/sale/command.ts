import { z } from 'zod';
import { OrderLines } from '@beltway/contracts/ticketing/order-lines';
import type { Context } from '@beltway/event-store';
import { CLOSE_REASONS, NOT_FULFILLED_REASONS, RELEASE_REASONS, RETURN_REASONS, type Terms } from './events.ts';

const id = z.string().min(1).max(200);
const orderId = z.uuid();
/** The time of the command: the decider has no clock. */
const at = z.iso.datetime();
const quantity = z.int().min(0);
const cents = z.int().min(0);
const buyerId = z.int().nullable();
const guest = z.string().min(1).max(64);
const instant = z.iso.datetime().nullable();
const catalogVersion = z.int().positive();
/** Of the order's link afterwards. The command's id names it, so that of two at once one is decided. */
const linkGeneration = z.int().positive();
/** The payment that was closed at the provider before its hold is released. */
const closedPaymentId = id.exactOptional();

const terms = z.strictObject({
  capacity: z.int().min(0),
  priceCents: cents,
  organizerId: z.int(),
  opensAt: instant,
  closesAt: instant,
  endsAt: at,
  catalogVersion,
  refundDeadlineHours: z.int().min(0).nullable(),
}) satisfies z.ZodType<Terms>;
const tickets = z.array(z.strictObject({ id: z.string(), code: z.string() }));
const wanted = z.array(z.strictObject({ type: z.string().min(1), quantity: z.int().min(0) })).min(1);

const command = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });

/** What may be asked of a sale. Checked where another instance forwards it. */
const SaleCommand = z.discriminatedUnion('type', [
  command('OfferTickets', { terms }),
  command('CloseSale', { reason: z.enum(CLOSE_REASONS), catalogVersion }),
  /** `replaces`: the order whose hold this one takes the place of. */
  command('HoldTickets', {
    orderId,
    wanted,
    buyerId,
    guest: guest.exactOptional(),
    at,
    replaces: z.uuid().exactOptional(),
    closedPaymentId,
  }),
  /** `instead`: the payment that the order had when this one was asked for. */
  command('AttachPayment', {
    orderId,
    paymentId: id,
    instead: id.exactOptional(),
    at,
  }),
  command('ExtendHold', { orderId, at }),
  /** The card was declined: ten more minutes, once. */
  command('RecordDecline', { orderId, at }),
  /** The time is over, and the provider still works on the payment: the hold waits for it, but not for ever. */
  command('AwaitMoney', { orderId, at }),
  command('ReleaseHold', { orderId, reason: z.enum(RELEASE_REASONS), at, closedPaymentId }),
  /** `paidCents`: what payments says was received. */
  command('SellTickets', {
    orderId,
    lines: OrderLines,
    paidCents: cents,
    paymentId: id,
    buyerId,
    at,
    tickets,
    /** The log has lost its hold. */
    isLost: z.literal(true).exactOptional(),
  }),
  /** A payment that gets no tickets, however many are left. */
  command('RefuseMoney', {
    ...{ orderId, quantity, paymentId: id, amountCents: cents },
    reason: z.enum(NOT_FULFILLED_REASONS),
  }),
  /**
   * Returns the tickets of the order that were not returned before. `lines` are those of the whole order. `asked`: a refund on request;
   * `places` limits it to these tickets, none of which may have been returned.
   */
  command('ReturnTickets', {
    orderId,
    lines: OrderLines,
    paymentId: z.string(),
    reason: z.enum(RETURN_REASONS),
    asked: z
      .strictObject({ refundId: z.uuid(), places: z.array(z.int().min(1).max(31)).min(1).exactOptional() })
      .exactOptional(),
  }),
  command('FreezeOrder', { orderId, disputeId: id }),
  /** The dispute was lost. */
  command('VoidOrder', { orderId, disputeId: id }),
  /** The dispute was won. */
  command('ThawOrder', { orderId, disputeId: id }),
  command('WithdrawMoney', { orderId, paymentId: id }),
  command('ClaimOrder', { orderId, quantity, buyerId: z.int(), linkGeneration }),
  command('RenewLink', { orderId, linkGeneration }),
]);
export type SaleCommand = z.infer<typeof SaleCommand>;

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
