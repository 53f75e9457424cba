import { invalid, missing } from './errors.ts';
import { createReversal, move, refundFee } from './connect.ts';
import type { Answer } from './decide.ts';
import type { Tx } from './tx.ts';
import { newRefund, type Charge } from './charge-objects.ts';
import type { MethodHidden } from './objects.ts';
import type { Params } from './params.ts';

export function readRefund(params: Params) {
  params.only('payment_intent', 'charge', 'amount', 'reason', 'metadata', 'reverse_transfer', 'refund_application_fee');
  const intent = params.text('payment_intent');
  const charge = params.text('charge');
  if (!intent && !charge)
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.', {
      code: 'parameter_missing',
    });
  if (intent && charge) throw invalid('You may only specify one of these parameters: payment_intent, charge.');
  const amount = params.positive('amount');
  return {
    intent,
    charge,
    amount,
    reason: params.oneOf('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
    metadata: params.metadata(),
    reverseTransfer: params.flag('reverse_transfer') ?? false,
    refundFee: params.flag('refund_application_fee') ?? false,
  };
}

const dollars = (cents: number): string => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

async function chargeToRefund(tx: Tx, params: ReturnType<typeof readRefund>): Promise<Charge> {
  if (params.charge) {
    const charge = await tx.get('charge', params.charge);
    if (!charge) throw missing('charge', params.charge, 'charge');
    if (!charge.paid)
      throw invalid(`Charge ${charge.id} has not been paid, so it cannot be refunded.`, { param: 'charge' });
    return charge;
  }
  const id = params.intent ?? '';
  const intent = await tx.get('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, 'payment_intent');
  const charge = intent.latest_charge ? await tx.get('charge', intent.latest_charge) : undefined;
  if (!charge?.paid)
    throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    });
  return charge;
}

/** Refunds the remaining amount or a part of it. The refunds never exceed the charged amount. */
export async function createRefund(tx: Tx, params: ReturnType<typeof readRefund>): Promise<Answer> {
  const charge = await chargeToRefund(tx, params);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = params.amount ?? left;
  if (amount > left)
    throw invalid(`Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`, {
      param: 'amount',
    });

  if (amount > left - (await takenByBank(tx, charge)))
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  const made = newRefund(charge, amount, params.reason, params.metadata, tx.now);
  const moved = move(tx, { type: 'refund', category: 'refund', amount: -amount, source: made.id });
  const refund = { ...made, balance_transaction: moved.id };
  if (params.reverseTransfer) await takeBack(tx, charge, amount, params.refundFee);
  const refunded: Charge = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left };
  tx.put('refund', refund, { parent: charge.payment_intent });
  tx.put('charge', refunded);
  tx.emit('refund.created', refund, { intent: charge.payment_intent });
  tx.emit('charge.refunded', refunded, {
    intent: charge.payment_intent,
    previous: { amount_refunded: charge.amount_refunded, ...(refunded.refunded ? { refunded: false } : {}) },
  });
  const method = await tx.hidden<MethodHidden>(charge.payment_method);
  if (method?.behavior.kind === 'succeeds' && method.behavior.after === 'refund-fails') await failRefund(tx, refund.id);
  return { status: 200, body: refund };
}

/**
 * Reverses the destination account's proportional share of a refund. First refunds the fee to the account, so that the
 * account's balance is sufficient.
 */
async function takeBack(tx: Tx, charge: Charge, amount: number, withFee: boolean): Promise<void> {
  if (!charge.transfer)
    throw invalid('Cannot reverse the transfer of a charge that has none.', { param: 'reverse_transfer' });
  const share = Math.round(((charge.application_fee_amount ?? 0) * amount) / charge.amount);
  if (withFee && charge.application_fee && share > 0)
    await refundFee(tx, charge.application_fee, { amount: share, metadata: {} });
  await createReversal(tx, charge.transfer, { amount, metadata: {} });
}

/**
 * The amount that cannot be refunded: the whole charge during a dispute, the disputed amount after a lost dispute. A
 * charge is disputed at most once.
 */
async function takenByBank(tx: Tx, charge: Charge): Promise<number> {
  const kept = charge.disputed ? await tx.hidden<{ dispute: string }>(charge.id) : undefined;
  const dispute = kept && (await tx.get('dispute', kept.dispute));
  switch (dispute?.status) {
    case 'needs_response':
    case 'under_review':
      return charge.amount;
    case 'lost':
      return dispute.amount;
    default:
      return 0;
  }
}

/** The bank returns a refund that had succeeded, which happens days later when the card was closed. */
export async function failRefund(tx: Tx, id: string, reason = 'expired_or_canceled_card'): Promise<Answer> {
  const refund = await tx.get('refund', id);
  const charge = refund && (await tx.get('charge', refund.charge));
  if (!refund || !charge) throw missing('refund', id);
  if (refund.status !== 'succeeded') throw invalid(`Refund ${id} has failed already.`);
  const failed = { ...refund, status: 'failed' as const, failure_reason: reason };
  const about = { intent: refund.payment_intent, previous: { status: refund.status } };
  tx.put('refund', failed);
  move(tx, { type: 'refund_failure', category: 'refund_failure', amount: refund.amount, source: refund.id });
  const held: Charge = { ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false };
  tx.put('charge', held);
  tx.emit('refund.updated', failed, about);
  tx.emit('refund.failed', failed, about);
  tx.emit('charge.refund.updated', failed, about);
  return { status: 200, body: failed };
}
