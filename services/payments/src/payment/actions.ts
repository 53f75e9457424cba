import { fingerprintOf } from '@beltway/event-store';
import type { RequestPaymentBody } from '@beltway/contracts/payments';
import { type PaymentStatus, type RequestedPayment, type SettledPayment } from '@beltway/contracts/payments';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import { seal, unseal } from '@beltway/kit/secrets';
import type { Payment as PaymentRow } from '../generated/prisma/client.ts';
import type { Intent } from '../provider/objects.ts';
import type { Provider } from '../provider/provider.ts';
import { factId, statusOf, toldByIntent } from '../provider/told.ts';
import { record, type Recording } from './record.ts';

export interface Acting extends Recording {
  provider: Provider;
  /** Seals client secrets where they are kept. */
  secretKey: string;
}

const SEALED_FOR = 'client-secret';

/** One intent per order. The provider is asked first, with no transaction open; a repeat is answered from our own row. */
export async function requestPayment(
  deps: Acting,
  body: RequestPaymentBody,
  correlationId: string,
): Promise<RequestedPayment> {
  const { payments, db, provider, secretKey } = deps;
  const { description, receiptEmail, ...wish } = body;
  const row = await db.payment.findUnique({ where: { id: body.orderId } });
  if (row) return repeated(deps, row, body);

  const terms = { purpose: 'tickets' as const, ...wish };
  const intent = await provider.request(terms, { description, receiptEmail });
  const clientSecret = secretOf(intent);
  await payments.handle(
    body.orderId,
    {
      type: 'RequestPayment',
      terms: { ...terms, paymentId: intent.id },
      clientSecret: seal(secretKey, SEALED_FOR, clientSecret),
    },
    {
      commandId: `request:${body.orderId}`,
      fingerprint: fingerprintOf(terms),
      correlationId,
      ...(body.buyerId !== null && { userId: body.buyerId }),
    },
  );
  return { paymentId: intent.id, clientSecret };
}

async function repeated(
  { provider, secretKey }: Acting,
  row: PaymentRow,
  body: RequestPaymentBody,
): Promise<RequestedPayment> {
  const same =
    row.amount === body.amountCents &&
    row.eventId === body.eventId &&
    row.organiserId === body.organiserId &&
    row.userId === body.buyerId;
  if (!same) throw new HttpProblem(422, 'payment-changed', 'This order was asked to be paid on other terms.');
  if (row.status === 'cancelled')
    throw new HttpProblem(409, 'payment-cancelled', 'The payment of this order was cancelled.');
  const paymentId = row.stripePaymentIntentId;
  return { paymentId, clientSecret: kept(row.clientSecret, secretKey) ?? secretOf(await provider.retrieve(paymentId)) };
}

/** Undefined when none was kept (recorded from a webhook), or when it was sealed with a key that was replaced since. */
function kept(sealed: string | null, secretKey: string): string | undefined {
  try {
    return sealed === null ? undefined : unseal(secretKey, SEALED_FOR, sealed);
  } catch {
    return undefined;
  }
}

function secretOf(intent: Intent): string {
  if (!intent.client_secret) throw new Error(`the provider gave no client secret for ${intent.id}`);
  return intent.client_secret;
}

/** Asks the provider what is true now and records it. What is decided for good is answered without asking. */
export const settlePayment = (deps: Acting, paymentId: string): Promise<SettledPayment> =>
  resolvePayment(deps, paymentId, () => deps.provider.retrieve(paymentId));

/** Cancels what is not paid; what turns out to be paid is recorded and answered `succeeded`. */
export const cancelPayment = (deps: Acting, paymentId: string): Promise<SettledPayment> =>
  resolvePayment(deps, paymentId, () => deps.provider.cancel(paymentId));

const FINAL: readonly string[] = ['succeeded', 'cancelled', 'refunded'] satisfies PaymentStatus[];

async function resolvePayment(deps: Acting, paymentId: string, ask: () => Promise<Intent>): Promise<SettledPayment> {
  const row = await deps.db.payment.findUnique({ where: { stripePaymentIntentId: paymentId } });
  if (!row) throw notFound('This payment');
  const { orderId, eventId, amount: amountCents } = row;
  const settled = (status: PaymentStatus): SettledPayment => ({
    paymentId,
    orderId: orderId ?? row.id,
    eventId,
    amountCents,
    status,
  });
  if (FINAL.includes(row.status)) return settled(row.status as PaymentStatus);

  const intent = await ask();
  const told = toldByIntent(intent);
  if (told) await record(deps, told, { commandId: factId(told), correlationId: row.id });
  return settled(statusOf(intent));
}
