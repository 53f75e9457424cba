import type { Pool } from 'pg';
import { fingerprintOf } from '@beltway/event-store';
import { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import { type PaymentStatus, type RequestedPayment, type SettledPayment } from '@beltway/contracts/payments/payments';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import { sameText, seal, unseal } from '@beltway/kit/secrets';
import { customerOf } from './customers.ts';
import { readyAccountOf } from '../payout/queries.ts';
import { isDestinationFault } from '../provider/connect.ts';
import { isKept } from '../provider/faults.ts';
import { fromMetadata } from '../provider/metadata.ts';
import type { Intent } from '../provider/objects.ts';
import type { Provider } from '../provider/provider.ts';
import { factId, statusOf, updateFromIntent } from '../provider/updates.ts';
import type { PaymentEvent, PaymentTerms } from './events.ts';
import type { Bought } from './bought.ts';
import { sameBought } from './decider.ts';
import { keyIsSpent, paymentById, paymentByIntent, paymentsByIntent, type PaymentRow } from './queries.ts';
import { record, type RecordDeps } from './record.ts';

export interface PaymentDeps extends RecordDeps {
  pool: Pool;
  provider: Provider;
  /** Key that encrypts the stored client secrets. */
  secretKey: string;
}

const SEALED_FOR = 'client-secret';

/** The amount to pay, and the text of the provider's receipt. */
export interface Asked {
  terms: Omit<PaymentTerms, 'paymentId'>;
  description: string;
  /** null: the provider sends no receipt. */
  receiptEmail: string | null;
}

/**
 * Requests one intent for each payment, and a new intent if the previous intent was canceled. Calls the provider first,
 * with no transaction open. A repeated call returns the stored intent. If the provider caches a fault under the
 * idempotency key, the next call uses a new key. If the failed call created an intent after all, `work/strays.ts` finds
 * that intent; its client secret was never returned.
 */
export async function requestPayment(
  deps: PaymentDeps,
  { terms, description, receiptEmail }: Asked,
  correlationId: string,
): Promise<RequestedPayment> {
  const { payments, pool, provider, secretKey, log } = deps;
  const { id } = terms;
  const { payment: row, attempt = 0 } = (await paymentById(pool, id)) ?? {};
  if (row) assertSameTerms(row, terms);
  if (row && row.status !== 'canceled') return repeated(deps, row);

  const [customerId, withAccount] = await Promise.all([
    terms.buyerId === null ? undefined : customerOf(deps, terms.buyerId),
    withDestination(pool, terms),
  ]);
  const instead = row ? `instead-of-${row.paymentId}` : undefined;
  /**
   * The request's parameters are part of the idempotency key, because the provider rejects a different request with the
   * same key.
   */
  const ask = (asked: Asked['terms']) => {
    const to = asked.destination === undefined ? undefined : `to-${asked.destination}`;
    const tried = attempt > 0 ? `attempt-${attempt}` : undefined;
    const alone = terms.buyerId !== null && customerId === undefined ? 'without-customer' : undefined;
    const key = ['beltway-payment', id, instead, tried, to, alone];
    const wording = { description, receiptEmail, customerId };
    return provider.request(asked, wording, key.filter((part) => part !== undefined).join('-'));
  };
  let asked = withAccount;
  const intent = await ask(asked)
    .catch((error: unknown) => {
      if (asked.destination === undefined || !isDestinationFault(error)) throw error;
      // The organizer's account was restricted after the provider's last report. The payment is requested without that
      // account, so that the buyer does not have to wait. We still owe the share to the organizer.
      log.warn({ err: error, id, destination: asked.destination }, 'an account cannot receive the share of a payment');
      asked = terms;
      return ask(asked);
    })
    .catch(async (error: unknown) => {
      if (isKept(error)) await keyIsSpent(pool, id, attempt);
      throw error;
    });
  const clientSecret = secretOf(intent);
  const { events } = await payments.handle(
    id,
    {
      type: 'RequestPayment',
      terms: { ...asked, paymentId: intent.id },
      clientSecret: seal(secretKey, SEALED_FOR, clientSecret),
    },
    {
      commandId: `request:${id}${row ? `:instead-of:${row.paymentId}` : ''}`,
      fingerprint: fingerprintOf(terms),
      correlationId,
      begins: !row,
      ...(terms.buyerId !== null && { userId: terms.buyerId }),
    },
  );
  const recorded = events.find(({ type }) => type === 'PaymentRequested') as
    | Extract<PaymentEvent, { type: 'PaymentRequested' }>
    | undefined;
  if (!recorded || recorded.data.paymentId === intent.id) return { paymentId: intent.id, clientSecret };

  // A concurrent call recorded an intent under another idempotency key. The recorded intent is used. The secret of this
  // call's intent is never returned.
  await provider
    .cancel(intent.id)
    .catch((error: unknown) =>
      log.warn({ err: error, id, paymentId: intent.id }, 'a second intent is still open and is canceled later'),
    );
  return repeated(deps, recorded.data);
}

/**
 * If the organizer's account is ready, adds that account to the terms. The charge for the tickets then transfers the
 * organizer's share automatically.
 */
async function withDestination(pool: Pool, terms: Asked['terms']): Promise<Asked['terms']> {
  if (terms.bought.purpose !== 'tickets' || terms.organizerId === null) return terms;
  const destination = await readyAccountOf(pool, terms.organizerId);
  return destination === undefined ? terms : { ...terms, destination };
}

function assertSameTerms(row: PaymentRow, terms: Asked['terms']): void {
  const same =
    row.amountCents === terms.amountCents &&
    sameBought(boughtBy(row), terms.bought) &&
    row.organizerId === terms.organizerId &&
    row.buyerId === terms.buyerId;
  if (!same) throw new HttpProblem(422, 'payment-changed');
}

/** The purchase that a row describes. */
export function boughtBy({ id, purpose, eventId, promotionType, livestream, packageId }: PaymentRow): Bought {
  switch (purpose) {
    case 'tickets':
      return { purpose, orderId: id, eventId: eventId ?? 0 };
    case 'promotion':
      return { purpose, eventId: eventId ?? 0, level: promotionType === 'premium' ? 'premium' : 'featured' };
    case 'livestream':
      return { purpose, eventId: eventId ?? 0, livestream: PaidLivestream.parse(JSON.parse(livestream ?? 'null')) };
    case 'ad':
      return { purpose, packageId: packageId ?? '' };
  }
}

async function repeated(
  { provider, secretKey }: PaymentDeps,
  row: Pick<PaymentRow, 'paymentId' | 'clientSecret'>,
): Promise<RequestedPayment> {
  const { paymentId } = row;
  return { paymentId, clientSecret: kept(row.clientSecret, secretKey) ?? secretOf(await provider.retrieve(paymentId)) };
}

/**
 * The stored client secret. Undefined if no secret was stored, because the payment was recorded from a webhook, or if
 * the encryption key was replaced.
 */
function kept(sealed: string | null, secretKey: string): string | undefined {
  try {
    return sealed === null ? undefined : unseal(secretKey, SEALED_FOR, sealed);
  } catch {
    return undefined;
  }
}

/** Whether this is the payment's client secret. The holder of the secret may read the payment's outcome. */
export async function hasSecret(deps: PaymentDeps, paymentId: string, clientSecret: string): Promise<boolean> {
  const row = await paymentByIntent(deps.pool, paymentId);
  return row !== undefined && sameText((await repeated(deps, row)).clientSecret, clientSecret);
}

function secretOf(intent: Intent): string {
  if (!intent.client_secret) throw new Error(`the provider gave no client secret for ${intent.id}`);
  return intent.client_secret;
}

/**
 * The current state of a payment, whatever the payment buys. `amountCents`: the amount received or, before the payment
 * succeeds, the amount requested.
 */
export interface Settled extends Pick<PaymentTerms, 'id' | 'paymentId' | 'amountCents' | 'bought' | 'buyerId'> {
  status: PaymentStatus;
}

/**
 * Reads a payment's current state from the provider and records that state. A recorded final state is returned without
 * a call.
 */
export const settlePayment = (deps: PaymentDeps, paymentId: string): Promise<Settled> =>
  resolvePayment(deps, paymentId, () => deps.provider.retrieve(paymentId));

/**
 * Cancels an unpaid payment. If the provider reports the payment as paid, records the success and returns `succeeded`.
 */
export const cancelPayment = (deps: PaymentDeps, paymentId: string): Promise<Settled> =>
  resolvePayment(deps, paymentId, () => deps.provider.cancel(paymentId));

/** The response for ticketing; undefined if the payment is not for tickets. */
export const ofTickets = ({ paymentId, amountCents, status, bought }: Settled): SettledPayment | undefined =>
  bought.purpose === 'tickets'
    ? { paymentId, orderId: bought.orderId, eventId: bought.eventId, amountCents, status }
    : undefined;

/** Those payments among the given ones that are in a final state. */
export async function decidedPayments({ pool }: PaymentDeps, paymentIds: string[]): Promise<SettledPayment[]> {
  return (await paymentsByIntent(pool, paymentIds))
    .filter(isFinal)
    .flatMap((row) => ofTickets(whatBecameOf(row)) ?? []);
}

const FINAL: readonly PaymentStatus[] = ['succeeded', 'canceled', 'refunded'];
const isFinal = ({ status }: PaymentRow): boolean => FINAL.includes(status);
const whatBecameOf = (row: PaymentRow): Settled => {
  const { id, paymentId, amountCents, buyerId, status } = row;
  return { id, paymentId, amountCents, buyerId, status, bought: boughtBy(row) };
};

async function resolvePayment(deps: PaymentDeps, paymentId: string, ask: () => Promise<Intent>): Promise<Settled> {
  const row = await paymentByIntent(deps.pool, paymentId);
  if (row && isFinal(row)) return whatBecameOf(row);
  const { id, amountCents, buyerId, bought } = row ? whatBecameOf(row) : await askWhose(deps, paymentId);

  const intent = await ask();
  const update = updateFromIntent(intent);
  if (update) await record(deps, update, { commandId: factId(update), correlationId: id });
  const received = update?.type === 'RecordSuccess' ? update.amountCents : amountCents;
  return { id, paymentId, amountCents: received, buyerId, bought, status: statusOf(intent) };
}

/** The terms of an intent that was replaced or never recorded. Read from the intent's metadata at the provider. */
async function askWhose({ provider }: PaymentDeps, paymentId: string): Promise<PaymentTerms> {
  const { metadata, amount } = await provider.retrieve(paymentId);
  const terms = fromMetadata(metadata, paymentId, amount);
  if (!terms) throw notFound('payment');
  return terms;
}
