import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { moneyText } from '@beltway/contracts/common/basics';
import type { Language } from '@beltway/contracts/common/languages';
import type { OrderPayment, OrderStep } from '@beltway/contracts/ticketing/orders';
import { platformFeeCents } from '@beltway/contracts/payments/payments';
import type { PaymentEvent } from '../payment/events.ts';
import type { Payments } from '../payment/stream.ts';
import { paymentById } from '../payment/queries.ts';
import { english } from './step-texts.en.ts';
import { spanish } from './step-texts.es.ts';

/** For each language, a function that returns the text for an event. */
const stepTexts: Record<Language, (event: PaymentEvent) => string | null> = { en: english, es: spanish };

/** Additional texts for admins, in English. */
function adminTextOf({ type, data }: PaymentEvent): string | null {
  switch (type) {
    case 'PaymentFulfilled':
      return 'What was paid for was handed over.';
    case 'ShareDelayed':
      return data.way === 'reversal'
        ? `${moneyText(data.cents)} could not be taken back from the organizer's account; it is tried again.`
        : `${moneyText(data.cents)} could not be passed on to the organizer's account; it is tried again.`;
    case 'ShareSettled':
      return 'Nothing waits between the platform and the organizer any longer.';
    case 'ProviderFeeCharged':
      return `The provider took ${moneyText(data.cents)} for its work.`;
    default:
      return null;
  }
}

/** The maximum number of log events in a payment's history. The oldest are kept. */
export const MAX_STEPS = 200;

/** A payment's events in the log, oldest first. With `forAdmins`, events that are hidden from buyers are included. */
export async function historyOf(
  pool: Pool,
  id: string,
  { forAdmins = false, language = 'en' as Language } = {},
): Promise<OrderStep[]> {
  const { rows } = await sql<{ type: string; data: object; at: Date }>`
    select type, data, occurred_at as at from events where stream = ${`payment-${id}`} order by version limit ${MAX_STEPS}`.execute(
    kysely(pool),
  );
  return rows.flatMap(({ type, data, at }) => {
    const event = { type, data } as PaymentEvent;
    const text = stepTexts[language](event) ?? (forAdmins ? adminTextOf(event) : null);
    return text ? [{ at: at.toISOString(), type, text }] : [];
  });
}

/** The payment of a ticket order, with its history in `language`; null if no payment was requested. */
export async function orderPayment(
  { pool, payments }: { pool: Pool; payments: Payments },
  orderId: string,
  language: Language,
): Promise<OrderPayment | null> {
  const row = (await paymentById(pool, orderId))?.payment;
  if (!row || row.purpose !== 'tickets') return null;
  const { paid, returnedCents, disputes } = await payments.read(orderId, (state) => ({
    paid: state.paid,
    returnedCents: state.returnedCents,
    disputes: [...state.disputes].map(([disputeId, dispute]) => ({ disputeId, ...dispute })),
  }));
  const history = await historyOf(pool, orderId, { language });
  const feeCents = paid?.feeCents ?? platformFeeCents(row.amountCents);
  return {
    paymentId: row.paymentId,
    status: row.status,
    amountCents: row.amountCents,
    feeCents,
    organizerCents: row.amountCents - feeCents,
    returnedCents,
    succeededAt: history.find(({ type }) => type === 'PaymentSucceeded')?.at ?? null,
    disputes,
    history,
  };
}
