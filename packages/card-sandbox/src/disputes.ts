import { move } from './connect.ts';
import type { Answer } from './decide.ts';
import { newDispute, type Charge, type Dispute } from './charge-objects.ts';
import { invalid, missing } from './errors.ts';
import type { Params } from './params.ts';
import type { Tx } from './tx.ts';

const ADJUSTED = { type: 'adjustment' };
/** What Stripe takes for a dispute, in cents. */
const DISPUTE_FEE = 1_500;

interface Disputed {
  /** In cents. Missing: what is left of the charge. It may be more than the charge: exchange rates move. */
  amount?: number | undefined;
  /** The bank only asks, and takes nothing yet. */
  isInquiry?: boolean | undefined;
}

/** The holder's bank takes back money of a charge, or inquires about it. */
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

/** The dispute after the bank took its amount. */
function withdrawn(tx: Tx, dispute: Dispute): Dispute {
  const { id, amount, balance_transactions: before } = dispute;
  const moved = move(tx, { ...ADJUSTED, category: 'dispute', amount: -amount, fee: DISPUTE_FEE, source: id });
  return { ...dispute, status: 'needs_response', balance_transactions: [...before, moved] };
}

/** The dispute of a charge as a buyer opens it; Stripe has no call for that, `/dev/payments` has. */
export async function disputeIntent(tx: Tx, intentId: string, disputed: Disputed): Promise<Answer> {
  const intent = await tx.get('payment_intent', intentId);
  if (!intent) throw missing('payment_intent', intentId, 'intent');
  const charge = intent.latest_charge ? await tx.get('charge', intent.latest_charge) : undefined;
  const isGone = charge?.amount_refunded === charge?.amount && disputed.amount === undefined;
  if (!charge?.paid || charge.disputed || isGone)
    throw invalid(`This PaymentIntent (${intentId}) has no charge that can be disputed.`);
  return { status: 200, body: await openDispute(tx, charge, 'fraudulent', disputed) };
}

/** The bank makes a dispute of its inquiry. */
export function escalateInquiry(tx: Tx, dispute: Dispute): Answer {
  if (dispute.status !== 'warning_needs_response') throw invalid(`This is no open inquiry: ${dispute.status}.`);
  const escalated = withdrawn(tx, dispute);
  const about = { intent: dispute.payment_intent, previous: { status: dispute.status } };
  tx.put('dispute', escalated);
  tx.emit('charge.dispute.updated', escalated, about);
  tx.emit('charge.dispute.funds_withdrawn', escalated, about);
  return { status: 200, body: escalated };
}

/** The bank gives back what a lost dispute took, as it does after an appeal. */
export function reverseLoss(tx: Tx, dispute: Dispute): Answer {
  if (dispute.status !== 'lost') throw invalid(`This dispute was not lost: ${dispute.status}.`);
  const won = returned(tx, dispute);
  const about = { intent: dispute.payment_intent, previous: { status: dispute.status } };
  tx.put('dispute', won);
  tx.emit('charge.dispute.funds_reinstated', won, about);
  return { status: 200, body: won };
}

/** The dispute after its amount came back. */
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

/** Ends a dispute. Lost: the money is gone; won: it comes back. An inquiry ends without either. */
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
