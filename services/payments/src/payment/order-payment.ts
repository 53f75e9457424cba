import type { Pool } from 'pg';
import { moneyText } from '@beltway/contracts/common';
import type { OrderPayment, OrderStep } from '@beltway/contracts/orders';
import { platformFeeCents } from '@beltway/contracts/payments';
import type { PaymentEvent } from './events.ts';
import type { Payments } from './payments.ts';
import { paymentById } from './queries.ts';
import { upcastPayment } from './upcast.ts';

/** One sentence for people about each event; null: nothing that they need. No card, no bank's code. */
function textOf({ type, data }: PaymentEvent): string | null {
  switch (type) {
    case 'PaymentRequested':
      return `${moneyText(data.amountCents)} asked for.`;
    case 'PaymentProcessing':
      return 'The provider works on the payment.';
    case 'PaymentFailed':
      return 'A card was declined.';
    case 'PaymentSucceeded':
      return `${moneyText(data.amountCents)} paid.`;
    case 'PaymentCancelled':
      return 'The payment was given up.';
    case 'RefundRequested':
      return 'The whole payment is to go back.';
    case 'PartRefundRequested':
      return `${moneyText(data.cents)} are to go back.`;
    case 'AlertResolved':
      return 'An admin has dealt with an alert.';
    case 'UnderpaymentReported':
      return `Only ${moneyText(data.paidCents)} were received.`;
    case 'PartRefundCovered':
      return `${moneyText(data.askedCents)} were to go back; by hand they had gone back already.`;
    case 'RefundDelayed':
      return 'A refund was tried often and is not done yet.';
    case 'RefundFailed':
      return data.isOwed ? 'The bank refused a refund. It is tried again.' : 'The bank refused a refund.';
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
      return `${moneyText(data.partCents ?? data.amountCents)} went back.`;
    case 'RefundReversed':
      return `A refund of ${moneyText(data.partCents)} came back from the bank.`;
    case 'DisputeOpened':
      return `A bank disputes ${moneyText(data.disputedCents)}.`;
    case 'DisputeLost':
      return `The dispute was lost: ${moneyText(data.partCents)} are gone.`;
    case 'DisputeWon':
      return 'The dispute was won.';
    case 'OtherCurrencyReported':
      return 'The provider reported money in another currency, which does not count.';
    case 'ShareTransferred':
      return `${moneyText(data.cents)} went to the organiser’s account.`;
    case 'TransferReversed':
      return `${moneyText(data.cents)} came back from the organiser’s account.`;
    case 'FeeReturned':
      return `${moneyText(data.cents)} of the fee went to the organiser’s account.`;
    case 'PaymentFulfilled':
    case 'ProviderFeeCharged':
      return null;
  }
}

/** What admins are told beside that. */
function adminTextOf({ type, data }: PaymentEvent): string | null {
  switch (type) {
    case 'PaymentFulfilled':
      return 'What was paid for was handed over.';
    case 'ProviderFeeCharged':
      return `The provider took ${moneyText(data.cents)} for its work.`;
    default:
      return null;
  }
}

/** Of a payment no more is told than this, oldest first. */
export const MAX_STEPS = 200;

/** The steps of a payment in its log, oldest first; with `forAdmins` every event is one. */
export async function historyOf(pool: Pool, id: string, { forAdmins = false } = {}): Promise<OrderStep[]> {
  const { rows } = await pool.query<{ type: string; data: object; at: Date }>(
    'select type, data, occurred_at as at from events where stream = $1 order by version limit $2',
    [`payment-${id}`, MAX_STEPS],
  );
  return rows.flatMap(({ type, data, at }) => {
    const event = upcastPayment({ type, data });
    const text = textOf(event) ?? (forAdmins ? adminTextOf(event) : null);
    return text ? [{ at: at.toISOString(), type, text }] : [];
  });
}

/** What is known of the payment of an order of tickets; null: nothing was asked to be paid. */
export async function orderPayment(
  { pool, payments }: { pool: Pool; payments: Payments },
  orderId: string,
): Promise<OrderPayment | null> {
  const row = (await paymentById(pool, orderId))?.payment;
  if (!row || row.purpose !== 'tickets') return null;
  const { paid, returnedCents, disputes } = await payments.read(orderId, (state) => ({
    paid: state.paid,
    returnedCents: state.returnedCents,
    disputes: [...state.disputes].map(([disputeId, dispute]) => ({ disputeId, ...dispute })),
  }));
  const history = await historyOf(pool, orderId);
  const feeCents = paid?.feeCents ?? platformFeeCents(row.amountCents);
  return {
    paymentId: row.paymentId,
    status: row.status,
    amountCents: row.amountCents,
    feeCents,
    organiserCents: row.amountCents - feeCents,
    returnedCents,
    succeededAt: history.find(({ type }) => type === 'PaymentSucceeded')?.at ?? null,
    disputes,
    history,
  };
}
