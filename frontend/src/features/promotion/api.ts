import { StreamSources } from '@beltway/contracts/media/broadcast';
import { Event } from '@beltway/contracts/catalog/events';
import type { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import {
  ConfirmedPromotion,
  ConfirmPromotionPaymentBody,
  PromotionPayment,
  type PaidLevel,
} from '@beltway/contracts/catalog/promotion';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { pauseAfter } from '../../lib/card-form/settling.ts';
import { get, HttpError, post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { paymentMemory, type Slot } from './payment-memory.ts';

/** A promotion's payment that the organizer can make; `amount` in cents. */
export interface PromotionIntent extends PromotionPayment {
  paymentIntentId: string;
}

/**
 * The start of the checkout: a payment to make, or a payment that this browser already made, perhaps in another tab.
 */
type Beginning = { kind: 'payable'; intent: PromotionIntent } | { kind: 'paid'; paymentIntentId: string };

/** GET /api/stream-sources, never cached, because media servers start and stop. */
export const streamSourcesQuery = { ...apiQuery(StreamSources, '/api/stream-sources'), staleTime: 0 };

/**
 * POST /api/confirm-promotion-payment returns the outcome of a payment. HttpError 409 `not-paid` if it did not succeed.
 */
export const confirmPromotion = (paymentIntentId: string): Promise<ConfirmedPromotion> =>
  post('/api/confirm-promotion-payment', { paymentIntentId }, ConfirmedPromotion);

/** True when the server reports that this payment took no money. */
export const isNotPaid = (error: unknown): boolean => error instanceof HttpError && error.problem?.code === 'not-paid';

/** Whether text has the form of a payment id. Text from the URL is untrusted. */
export const isPaymentIntentId = (text: string): boolean =>
  ConfirmPromotionPaymentBody.safeParse({ paymentIntentId: text }).success;

/** The promotion, its payer and the live stream's configuration. */
interface Purchase extends Slot {
  livestreamConfig?: LivestreamConfig;
}

/**
 * The payment that this browser sent to the provider earlier, if it was paid. Without this check, the server would
 * begin another payment.
 */
async function paidBefore(slot: Slot): Promise<string | null> {
  const begun = paymentMemory.get(slot);
  if (!begun) return null;
  try {
    await confirmPromotion(begun);
    return begun;
  } catch (error) {
    // An unpaid or unknown payment is forgotten. Any other error may be temporary and might hide a payment.
    if (!isNotPaid(error) && !(error instanceof HttpError && error.status === 404)) throw error;
    paymentMemory.clear(slot);
    return null;
  }
}

async function begin({ livestreamConfig, ...slot }: Purchase, signal: AbortSignal): Promise<Beginning> {
  const begun = await paidBefore(slot);
  if (begun) return { kind: 'paid', paymentIntentId: begun };
  const { eventId, level } = slot;
  const body = { promotionLevel: level, eventId, ...(livestreamConfig && { livestreamConfig }) };
  const { clientSecret, amount } = await post('/api/create-promotion-payment', body, PromotionPayment, { signal });
  const paymentIntentId = clientSecret.split('_secret')[0] ?? '';
  if (!isPaymentIntentId(paymentIntentId)) throw new Error('The payment could not be read.');
  return { kind: 'payable', intent: { clientSecret, amount, paymentIntentId } };
}

/**
 * Number of retries, and the milliseconds between them, before an event counts as unknown. Retries are necessary
 * because the payments service receives a new event in a bus message.
 */
const UNHEARD_TRIES = 4;
const UNHEARD_MS = 1_000;

/**
 * The payment of a promotion, requested each time the checkout opens. Idempotent: a repeat returns the same payment.
 */
export const beginningQuery = (purchase: Purchase) =>
  queryOptions({
    queryKey: ['promotion-payment', purchase],
    queryFn: ({ signal }) => begin(purchase, signal),
    retry: (tries, error) => error instanceof HttpError && error.status === 404 && tries < UNHEARD_TRIES,
    retryDelay: UNHEARD_MS,
    gcTime: 0,
  });

/** The payment made before a reload, or null. Queried before the configuration. */
export const paidBeforeQuery = (slot: Slot) =>
  queryOptions({
    queryKey: ['promotion-paid-before', slot],
    queryFn: () => paidBefore(slot),
    gcTime: 0,
  });

/**
 * Maximum number of polls until the event is promoted. The catalog starts a promotion when it receives a bus message.
 */
const START_TRIES = 4;

/** Refetches the events that are shown until the event is promoted. Never rejects. */
export async function refreshUntilStarted(queries: QueryClient, eventId: number, level: PaidLevel): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    const event = await get(`/api/events/${eventId}`, Event).catch(() => null);
    await queries.invalidateQueries({ queryKey: ['/api/events'] });
    if (event?.promotionLevel === level) return;
    await pauseAfter(tries);
  }
}
