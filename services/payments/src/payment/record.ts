import { randomUUID } from 'node:crypto';
import { Rejected } from '@beltway/event-store';
import { HttpProblem } from '@beltway/kit/problems';
import type { Logger } from '@beltway/kit/logger';
import type { Db } from '../db.ts';
import { counter } from '@beltway/kit/metrics';
import type { Provider } from '../provider/provider.ts';
import { factId, updateFromIntent } from '../provider/updates.ts';
import type { PaymentCommand, PaymentEvent, RecordCommand } from './events.ts';
import type { Payments } from './stream.ts';

export interface RecordDeps {
  payments: Payments;
  db: Db;
  log: Logger;
  provider: Pick<Provider, 'retrieve'>;
}

type Outcome = 'recorded' | 'nothing-new' | 'not-ours';

/** Events that staff must see or act on. Each of these events is logged and counted in the alert metric. */
const ALERTING: ReadonlySet<PaymentEvent['type']> = new Set<PaymentEvent['type']>([
  'PaymentPartlyRefunded',
  'RefundReversed',
  'DisputeOpened',
  'DisputeLost',
  'OtherCurrencyReported',
  'UnderpaymentReported',
  'RefundDelayed',
  'ShareDelayed',
]);
const alerts = counter(
  'payment_alerts_total',
  'Events of payments that people must look at',
  ['event'],
  [...ALERTING].map((event) => ({ event })),
);

/**
 * Records a report of the provider. Logs and drops a report that is about another product's payment or cannot be true,
 * because a repeat would change nothing. Throws faults of the database and of the provider, so that the provider sends
 * the report again.
 */
export async function record(
  deps: RecordDeps,
  command: RecordCommand,
  context: { commandId: string; correlationId?: string; causationId?: string },
): Promise<Outcome> {
  const { db, log } = deps;
  const { paymentId, terms } = command;
  const id =
    terms?.id ?? (await idOf(db, paymentId)) ?? (isOfCharge(command) ? await forgotten(deps, paymentId) : undefined);
  if (!id) {
    log.warn({ paymentId, command: command.type }, 'the provider reports on a payment we do not know');
    return 'not-ours';
  }
  return append(deps, id, command, context);
}

/**
 * Records that a refund failed too often and staff must act. Recorded once for the whole payment, and once for each
 * part.
 */
export const recordDelay = (
  deps: RecordDeps,
  id: string,
  delay: Omit<Extract<PaymentCommand, { type: 'RecordRefundDelay' }>, 'type'>,
): Promise<Outcome> =>
  append(
    deps,
    id,
    { type: 'RecordRefundDelay', ...delay },
    { commandId: `refund-delayed:${delay.requestId ?? id}`, correlationId: id },
  );

/** Records that moving an organizer's share failed too often and staff must act. */
export const recordShareDelay = (
  deps: Pick<RecordDeps, 'payments' | 'log'>,
  id: string,
  delay: { paymentId: string; tries: number },
): Promise<Outcome> =>
  append(
    deps,
    id,
    { type: 'RecordShareDelay', ...delay },
    { commandId: `share-delayed:${randomUUID()}`, correlationId: id },
  );

async function append(
  { payments, log }: Pick<RecordDeps, 'payments' | 'log'>,
  id: string,
  command: PaymentCommand & { paymentId: string },
  context: { commandId: string; correlationId?: string; causationId?: string },
): Promise<Outcome> {
  const { paymentId } = command;
  try {
    const { events, repeated } = await payments.handle(id, command, context);
    for (const event of repeated ? [] : events) {
      if (!ALERTING.has(event.type) && !('unasked' in event.data)) continue;
      if (event.type === 'PaymentPartlyRefunded' && event.data.requestId !== undefined) continue; // our own refund
      alerts.inc({ event: event.type });
      log.error({ id, paymentId, event: event.type, data: event.data }, 'a payment needs staff');
    }
    return events.length > 0 ? 'recorded' : 'nothing-new';
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    log.error(
      { err: error, id, paymentId, command: command.type, code: error.code },
      'what the provider reports does not fit the payment',
    );
    return 'not-ours';
  }
}

/** Refunds and disputes belong to a charge and lack the payment's metadata. */
const isOfCharge = ({ type }: RecordCommand): boolean =>
  type === 'RecordRefund' || type === 'RecordRefundFailure' || type === 'RecordDispute';

async function idOf(db: Db, paymentId: string): Promise<string | undefined> {
  const row = await db.payment.findUnique({ where: { stripePaymentIntentId: paymentId }, select: { id: true } });
  return row?.id;
}

/** Records a payment whose request was never recorded here, from its intent's metadata. */
async function forgotten(deps: RecordDeps, paymentId: string): Promise<string | undefined> {
  const intent = await deps.provider.retrieve(paymentId).catch((error: unknown) => {
    if (error instanceof HttpProblem && error.status === 404) return undefined;
    throw error;
  });
  const update = intent && updateFromIntent(intent);
  if (!update?.terms) return undefined;
  const { id } = update.terms;
  const outcome = await append(deps, id, update, { commandId: factId(update), correlationId: id });
  return outcome === 'not-ours' ? undefined : id;
}
