import { move } from './connect.ts';
import type { Answer } from './decide.ts';
import { newDispute, type Charge, type Dispute } from './charge-objects.ts';
import { invalid, missing } from './errors.ts';
import type { Params } from './params.ts';
import type { Tx } from './tx.ts';

const ADJUSTED = { type: 'adjustment' };
/** What Stripe takes for a dispute, in cents. */
const DISPUTE_FEE = 1_500;

/** The holder's bank takes back what is left of a charge. */
export async function openDispute(tx: Tx, charge: Charge, reason: string): Promise<Dispute> {
  const opened = newDispute(charge, charge.amount - charge.amount_refunded, reason, tx.now);
  const { id, amount } = opened;
  const moved = move(tx, { ...ADJUSTED, category: 'dispute', amount: -amount, fee: DISPUTE_FEE, source: id });
  const dispute = { ...opened, balance_transactions: [moved] };
  const about = { intent: charge.payment_intent };
  tx.put('dispute', dispute, { parent: charge.payment_intent });
  const disputed: Charge = { ...charge, disputed: true };
  const kept = (await tx.hidden<object>(charge.id)) ?? {};
  tx.put('charge', disputed, { hidden: { ...kept, dispute: id } });
  tx.emit('charge.dispute.created', dispute, about);
  tx.emit('charge.dispute.funds_withdrawn', dispute, about);
  return dispute;
}

/** The dispute of a charge as a buyer opens it; Stripe has no call for that, `/dev/payments` has. */
export async function disputeIntent(tx: Tx, intentId: string): Promise<Answer> {
  const intent = await tx.get('payment_intent', intentId);
  if (!intent) throw missing('payment_intent', intentId, 'intent');
  const charge = intent.latest_charge ? await tx.get('charge', intent.latest_charge) : undefined;
  if (!charge?.paid || charge.disputed || charge.amount_refunded === charge.amount)
    throw invalid(`This PaymentIntent (${intentId}) has no charge that can be disputed.`);
  return { status: 200, body: await openDispute(tx, charge, 'fraudulent') };
}

export function readEvidence(params: Params): string | undefined {
  params.only('evidence', 'submit', 'metadata');
  return params.hash('evidence')?.text('uncategorized_text', 20_000);
}

const isOpen = ({ status }: Dispute): boolean => status === 'needs_response' || status === 'under_review';

export async function foundDispute(tx: Tx, id: string): Promise<Dispute> {
  const dispute = await tx.get('dispute', id);
  if (!dispute) throw missing('dispute', id);
  return dispute;
}

/** Ends a dispute. Lost: the money is gone; won: it comes back. */
export function closeDispute(tx: Tx, dispute: Dispute, status: 'won' | 'lost'): Answer {
  if (!isOpen(dispute)) throw invalid(`This dispute is already closed: ${dispute.status}.`);
  const { id, amount, balance_transactions: before } = dispute;
  const back = status === 'won' ? [move(tx, { ...ADJUSTED, category: 'dispute_reversal', amount, source: id })] : [];
  const closed: Dispute = { ...dispute, status, balance_transactions: [...before, ...back] };
  const about = { intent: dispute.payment_intent, previous: { status: dispute.status } };
  tx.put('dispute', closed);
  tx.emit('charge.dispute.closed', closed, about);
  if (status === 'won') tx.emit('charge.dispute.funds_reinstated', closed, about);
  return { status: 200, body: closed };
}

/** `winning_evidence` and `losing_evidence` decide at once (docs.stripe.com/testing#evidence); other evidence is looked at for ever. */
export function giveEvidence(tx: Tx, dispute: Dispute, evidence: string | undefined): Answer {
  if (evidence === 'winning_evidence') return closeDispute(tx, dispute, 'won');
  if (evidence === 'losing_evidence') return closeDispute(tx, dispute, 'lost');
  if (!isOpen(dispute)) throw invalid(`This dispute is already closed: ${dispute.status}.`);
  const given = { ...dispute.evidence, uncategorized_text: evidence ?? '' };
  const updated: Dispute = { ...dispute, status: 'under_review', evidence: given };
  tx.put('dispute', updated);
  tx.emit('charge.dispute.updated', updated, { intent: dispute.payment_intent });
  return { status: 200, body: updated };
}
