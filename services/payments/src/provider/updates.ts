import { z } from 'zod';
import type { PaymentStatus } from '@beltway/contracts/payments/payments';
import type { RecordCommand } from '../payment/events.ts';
import { fromMetadata, requestIdOf } from './metadata.ts';
import { Charge, Dispute, idOf, Intent, Refund, type ProviderEvent } from './objects.ts';

// Pure functions that convert the provider's reports to commands. Events of intents and charges, and direct requests,
// report the same facts; the decider accepts each fact once.

/** null if there is nothing to record yet. */
export function updateFromIntent(intent: Intent): RecordCommand | null {
  const update = { paymentId: intent.id, terms: fromMetadata(intent.metadata, intent.id, intent.amount) };
  const refusal = intent.last_payment_error;
  switch (intent.status) {
    case 'succeeded':
      return {
        type: 'RecordSuccess',
        ...update,
        amountCents: intent.amount_received ?? intent.amount,
        currency: intent.currency,
      };
    case 'canceled':
      return { type: 'RecordCancellation', ...update };
    case 'processing':
      return { type: 'RecordProcessing', ...update };
    case 'requires_payment_method': {
      if (!refusal) return null;
      const code = refusal.decline_code ?? refusal.code ?? 'declined';
      // A failed challenge has no charge, so the payment method identifies the attempt.
      return { type: 'RecordFailure', ...update, attempt: refusal.charge ?? refusal.payment_method ?? code, code };
    }
    default:
      return null;
  }
}

function updateFromCharge(charge: Charge): RecordCommand | null {
  const paymentId = charge.payment_intent;
  if (!paymentId) return null;
  const update = { paymentId, terms: fromMetadata(charge.metadata, paymentId, charge.amount) };
  if (charge.status === 'succeeded' && charge.captured)
    return {
      type: 'RecordSuccess',
      ...update,
      amountCents: charge.amount_captured ?? charge.amount,
      currency: charge.currency,
    };
  if (charge.status === 'failed')
    return {
      type: 'RecordFailure',
      ...update,
      attempt: charge.id,
      code: charge.outcome?.reason ?? charge.failure_code ?? 'declined',
    };
  return null;
}

/**
 * The command has no terms, because a refund's metadata is ours only if we made the refund. The refund's amount may
 * also differ from the payment's amount.
 */
export function updateFromRefund(refund: Refund): RecordCommand | null {
  const paymentId = refund.payment_intent;
  if (!paymentId) return null;
  const { id: refundId, amount: amountCents, currency } = refund;
  const update = { paymentId, terms: null, refundId, amountCents, currency };
  const requestId = requestIdOf(refund);
  const asked = requestId === undefined ? {} : { requestId };
  switch (refund.status) {
    case 'succeeded':
      return { type: 'RecordRefund', ...update, ...asked };
    case 'failed':
    case 'canceled':
      return { type: 'RecordRefundFailure', ...update, ...asked, code: refund.failure_reason ?? refund.status };
    default:
      return null; // still in progress
  }
}

type DisputeOutcome = Extract<RecordCommand, { type: 'RecordDispute' }>['outcome'];

/**
 * Dispute outcomes by the provider's status. In every other status, the dispute waits for evidence or a decision. A
 * closed inquiry and a prevented dispute took no money.
 */
const DISPUTE_OUTCOMES: ReadonlyMap<string, DisputeOutcome> = new Map([
  ['won', 'won'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
]);

function updateFromDispute({
  id,
  amount,
  currency,
  status,
  reason,
  payment_intent: paymentId,
}: Dispute): RecordCommand | null {
  if (!paymentId) return null;
  return {
    type: 'RecordDispute',
    paymentId,
    terms: null,
    disputeId: id,
    amountCents: amount,
    currency,
    reason: reason ?? '',
    outcome: DISPUTE_OUTCOMES.get(status) ?? 'open',
  };
}

/**
 * The account that a report is about; undefined if the report is about something else. Reports arrive in any order, so
 * a report about an account only triggers a fetch of that account.
 */
export function accountIn({ type, account, data }: ProviderEvent): string | undefined {
  if (type.startsWith('payout.')) return account ?? undefined;
  if (type !== 'account.updated' && type !== 'capability.updated') return undefined;
  const { id, account: owner } = read(z.looseObject({ id: z.string(), account: idOf.nullish() }), data.object);
  return type === 'account.updated' ? id : (owner ?? account ?? undefined);
}

/**
 * Types of reports about refunds and disputes. The charge also reports a full refund, but that report is not needed
 * here.
 */
export const CHANGES_AFTER_PAYMENT = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];

/**
 * Undefined for an ignored type. `refundsOf`: the caller must fetch this intent's refunds, which total `returnedCents`.
 * Throws when a report of a known type lacks a field we need, because staff must act.
 */
export function updateFromEvent({
  type,
  data,
}: ProviderEvent): RecordCommand | { refundsOf: string; returnedCents: number } | null | undefined {
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.canceled':
      return updateFromIntent(read(Intent, data.object));
    case 'charge.succeeded':
    case 'charge.captured':
    case 'charge.failed':
      return updateFromCharge(read(Charge, data.object));
    case 'charge.refunded': {
      const { payment_intent: refundsOf, amount_refunded: returnedCents } = read(Charge, data.object);
      return refundsOf ? { refundsOf, returnedCents: returnedCents ?? 0 } : null;
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return updateFromRefund(read(Refund, data.object));
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return updateFromDispute(read(Dispute, data.object));
    default:
      return undefined;
  }
}

/** A report that this version of the code can never record. */
export class UnknownShape extends Error {}

function read<T>(schema: z.ZodType<T>, object: unknown): T {
  const parsed = schema.safeParse(object);
  // Not a ZodError, because a ZodError would return 400, although the provider is not at fault.
  if (!parsed.success)
    throw new UnknownShape('the provider reports in a shape we do not know', { cause: parsed.error });
  return parsed.data;
}

/** The command id of a fetched fact, so that a fact fetched twice is recorded once. */
export function factId(command: RecordCommand): string {
  const { paymentId } = command;
  switch (command.type) {
    case 'RecordSuccess':
      return `succeeded:${paymentId}`;
    case 'RecordCancellation':
      return `canceled:${paymentId}`;
    case 'RecordProcessing':
      return `processing:${paymentId}`;
    case 'RecordFailure':
      return `failed:${paymentId}:${command.attempt}`;
    case 'RecordRefund':
      return `refunded:${command.refundId}`;
    case 'RecordRefundFailure':
      return `refund-failed:${command.refundId}`;
    case 'RecordDispute':
      return `dispute:${command.disputeId}:${command.outcome}`;
  }
}

export function statusOf({ status, currency }: Intent): PaymentStatus {
  switch (status) {
    case 'succeeded':
      // A payment in another currency counts neither as paid (`decider.ts`) nor as open: staff decide.
      return currency === 'usd' ? 'succeeded' : 'processing';
    case 'canceled':
      return 'canceled';
    case 'processing':
    case 'requires_capture':
      return 'processing';
    case 'requires_action':
      return 'action';
    default:
      return 'open';
  }
}
