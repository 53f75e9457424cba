import { move } from './connect.ts';
import type { Answer } from './decide.ts';
import { newDispute, type Charge, type Dispute } from './charge-objects.ts';
import { invalid, missing } from './errors.ts';
import type { Params } from './params.ts';
import type { Tx } from './tx.ts';

const ADJUSTED = { type: 'adjustment' };
/** Stripe's fee for a dispute, in cents. */
const DISPUTE_FEE = 1_500;

interface Disputed {
  /** In cents. Default: the charge's unrefunded amount. May exceed the charge because exchange rates change. */
  amount?: number | undefined;
  /** The bank only inquires and does not withdraw money yet. */
  isInquiry?: boolean | undefined;
}

/** Opens a dispute: the holder's bank withdraws money of a charge, or only inquires about it. */
export async function openDispute(
  tx: Tx,
  charge: Charge,
  reason: string,
  { amount = charge.amount - charge.amount_refunded, isInquiry = false }: Disputed = {},
): Promise<Dispute> {
  const opened = newDispute(charge, amount, reason, tx.now);
  const dispute: Dispute = isInquiry ? { ...opened, status: 'warning_needs_response' } : withdrawn(tx, opened);
  const about = { intent: charge.payment_intent };
  tx.put('dispute', dispute, { parent: charge.payment_intent });
  const disputed: Charge = { ...charge, disputed: true };
  const kept = (await tx.hidden<object>(charge.id)) ?? {};
  tx.put('charge', disputed, { hidden: { ...kept, dispute: dispute.id } });
  tx.emit('charge.dispute.created', dispute, about);
  if (!isInquiry) tx.emit('charge.dispute.funds_withdrawn', dispute, about);
  return dispute;
}

/** Withdraws the disputed amount and returns the changed dispute. */
function withdrawn(tx: Tx, dispute: Dispute): Dispute {
  const { id, amount, balance_transactions: before } = dispute;
  const moved = move(tx, { ...ADJUSTED, category: 'dispute', amount: -amount, fee: DISPUTE_FEE, source: id });
  return { ...dispute, status: 'needs_response', balance_transactions: [...before, moved] };
}

/**
 * Disputes an intent's charge as a buyer would. Stripe's API has no call for this, so only `/dev/payments` offers it.
 */
export async function disputeIntent(tx: Tx, intentId: string, disputed: Disputed): Promise<Answer> {
  const intent = await tx.get('payment_intent', intentId);
  if (!intent) throw missing('payment_intent', intentId, 'intent');
  const charge = intent.latest_charge ? await tx.get('charge', intent.latest_charge) : undefined;
  const isGone = charge?.amount_refunded === charge?.amount && disputed.amount === undefined;
  if (!charge?.paid || charge.disputed || isGone)
    throw invalid(`This PaymentIntent (${intentId}) has no charge that can be disputed.`);
  return { status: 200, body: await openDispute(tx, charge, 'fraudulent', disputed) };
}

/** Turns an inquiry into a dispute. */
export function escalateInquiry(tx: Tx, dispute: Dispute): Answer {
  if (dispute.status !== 'warning_needs_response') throw invalid(`This is no open inquiry: ${dispute.status}.`);
  const escalated = withdrawn(tx, dispute);
  const about = { intent: dispute.payment_intent, previous: { status: dispute.status } };
  tx.put('dispute', escalated);
  tx.emit('charge.dispute.updated', escalated, about);
  tx.emit('charge.dispute.funds_withdrawn', escalated, about);
  return { status: 200, body: escalated };
}

/** Returns the money of a lost dispute, as a bank does after an appeal. */
export function reverseLoss(tx: Tx, dispute: Dispute): Answer {
  if (dispute.status !== 'lost') throw invalid(`This dispute was not lost: ${dispute.status}.`);
  const won = returned(tx, dispute);
  const about = { intent: dispute.payment_intent, previous: { status: dispute.status } };
  tx.put('dispute', won);
  tx.emit('charge.dispute.funds_reinstated', won, about);
  return { status: 200, body: won };
}

/** Books the disputed amount back to the platform and marks the dispute as won. */
function returned(tx: Tx, dispute: Dispute): Dispute {
  const { id, amount, balance_transactions: before } = dispute;
  const moved = move(tx, { ...ADJUSTED, category: 'dispute_reversal', amount, source: id });
  return { ...dispute, status: 'won', balance_transactions: [...before, moved] };
}

export function readEvidence(params: Params): string | undefined {
  params.only('evidence', 'submit', 'metadata');
  return params.hash('evidence')?.text('uncategorized_text', 20_000);
}

const OPEN: ReadonlySet<Dispute['status']> = new Set(['warning_needs_response', 'needs_response', 'under_review']);
const isOpen = ({ status }: Dispute): boolean => OPEN.has(status);

export async function foundDispute(tx: Tx, id: string): Promise<Dispute> {
  const dispute = await tx.get('dispute', id);
  if (!dispute) throw missing('dispute', id);
  return dispute;
}

/**
 * Closes a dispute. If it is lost, the bank keeps the money; if it is won, the bank returns the money. An inquiry moves
 * no money.
 */
export function closeDispute(tx: Tx, dispute: Dispute, outcome: 'won' | 'lost'): Answer {
  if (!isOpen(dispute)) throw invalid(`This dispute is already closed: ${dispute.status}.`);
  const isInquiry = dispute.status === 'warning_needs_response';
  const closed: Dispute = isInquiry
    ? { ...dispute, status: 'warning_closed' }
    : outcome === 'won'
      ? returned(tx, dispute)
      : { ...dispute, status: 'lost' };
  const about = { intent: dispute.payment_intent, previous: { status: dispute.status } };
  tx.put('dispute', closed);
  tx.emit('charge.dispute.closed', closed, about);
  if (closed.status === 'won') tx.emit('charge.dispute.funds_reinstated', closed, about);
  return { status: 200, body: closed };
}

/**
 * The evidence `winning_evidence` or `losing_evidence` closes the dispute immediately
 * (docs.stripe.com/testing#evidence). With other evidence, the dispute stays under review.
 */
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
