import { z } from 'zod';
import { OrderLines } from '@beltway/contracts/ticketing/order-lines';
import type { Context } from '@beltway/event-store';
import {
  CLOSE_REASONS,
  MANAGERS,
  NOT_FULFILLED_REASONS,
  RELEASE_REASONS,
  RETURN_REASONS,
  type Terms,
} from './events.ts';

const id = z.string().min(1).max(200);
const orderId = z.uuid();
/** The time of the command, because the decider has no clock. */
const at = z.iso.datetime();
const quantity = z.int().min(0);
const cents = z.int().min(0);
const buyerId = z.int().nullable();
const guest = z.string().min(1).max(64);
const instant = z.iso.datetime().nullable();
const catalogVersion = z.int().positive();
/**
 * The generation of the link after the command. The command's id contains the generation, so that only one of two
 * concurrent commands is decided.
 */
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

/** The commands of a sale. The schema validates commands that another instance forwards. */
const SaleCommand = z.discriminatedUnion('type', [
  command('OfferTickets', { terms }),
  command('CloseSale', { reason: z.enum(CLOSE_REASONS), catalogVersion }),
  /** `replaces`: the order whose hold is replaced. */
  command('HoldTickets', {
    orderId,
    wanted,
    buyerId,
    guest: guest.exactOptional(),
    at,
    replaces: z.uuid().exactOptional(),
    closedPaymentId,
  }),
  /** `instead`: the payment that was attached to the order when this payment was requested. */
  command('AttachPayment', {
    orderId,
    paymentId: id,
    instead: id.exactOptional(),
    at,
  }),
  command('ExtendHold', { orderId, at }),
  /** The card was declined: extends the hold by ten minutes, once. */
  command('RecordDecline', { orderId, at }),
  /** The hold has lapsed, but the provider is still processing the payment: extends the hold, up to a limit. */
  command('AwaitMoney', { orderId, at }),
  command('ReleaseHold', { orderId, reason: z.enum(RELEASE_REASONS), at, closedPaymentId }),
  /** `paidCents`: the amount received, as payments reported it. */
  command('SellTickets', {
    orderId,
    lines: OrderLines,
    paidCents: cents,
    paymentId: id,
    buyerId,
    at,
    tickets,
    /** The log was restored from a backup, and the sale was published before. */
    isPublished: z.literal(true).exactOptional(),
    /** The restored log does not have the order. */
    isLost: z.literal(true).exactOptional(),
  }),
  /** Refuses a payment, even if tickets are left. */
  command('RefuseMoney', {
    ...{ orderId, quantity, paymentId: id, amountCents: cents },
    reason: z.enum(NOT_FULFILLED_REASONS),
  }),
  /**
   * Returns the order's tickets that were not returned before. `lines`: the lines of the whole order. `asked`: the
   * refund was requested. `places`: returns only the tickets at these positions; the command is rejected if one of them
   * was already returned.
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
  /** The bank decided the dispute against us: voids the tickets. */
  command('VoidOrder', { orderId, disputeId: id }),
  /** The dispute was won: the tickets are valid again. */
  command('ThawOrder', { orderId, disputeId: id }),
  command('WithdrawMoney', { orderId, paymentId: id }),
  command('ClaimOrder', { orderId, quantity, buyerId: z.int(), linkGeneration }),
  command('RenewLink', { orderId, linkGeneration, correctedBy: z.enum(MANAGERS).exactOptional() }),
]);
export type SaleCommand = z.infer<typeof SaleCommand>;

const CommandContext = z.strictObject({
  commandId: id,
  fingerprint: id.exactOptional(),
  userId: z.int().exactOptional(),
  correlationId: id.exactOptional(),
  causationId: id.exactOptional(),
}) satisfies z.ZodType<Context>;

/** A command that one instance of ticketing forwards to another: `POST /internal/sales/:id/commands`. */
export const ForwardedCommand = z.strictObject({ command: SaleCommand, context: CommandContext });
export type ForwardedCommand = z.infer<typeof ForwardedCommand>;
