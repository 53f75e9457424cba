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

/** A payment of a promotion that can be made; `amount` in cents. */
export interface PromotionIntent extends PromotionPayment {
  paymentIntentId: string;
}

/** What the checkout begins with: a payment to make, or one that was made already, in this browser or another tab. */
type Beginning = { kind: 'payable'; intent: PromotionIntent } | { kind: 'paid'; paymentIntentId: string };

/** GET /api/stream-sources, asked each time: a media server starts and stops. */
export const streamSourcesQuery = { ...apiQuery(StreamSources, '/api/stream-sources'), staleTime: 0 };

/** POST /api/confirm-promotion-payment: what became of a payment. HttpError 409 `not-paid` when it has not gone through. */
export const confirmPromotion = (paymentIntentId: string): Promise<ConfirmedPromotion> =>
  post('/api/confirm-promotion-payment', { paymentIntentId }, ConfirmedPromotion);

/** True when the server says that no money was taken by this payment. */
export const isNotPaid = (error: unknown): boolean => error instanceof HttpError && error.problem?.code === 'not-paid';

/** Whether text can be a payment's id at all; addresses are written by anybody. */
export const isPaymentIntentId = (text: string): boolean =>
  ConfirmPromotionPaymentBody.safeParse({ paymentIntentId: text }).success;

/** Which promotion, who pays it, and how its live stream is to be. */
interface Purchase extends Slot {
  livestreamConfig?: LivestreamConfig;
}

/** The payment that this browser sent to the provider before, if it was paid: the server would begin another purchase after it. */
async function paidBefore(slot: Slot): Promise<string | null> {
  const begun = paymentMemory.get(slot);
  if (!begun) return null;
  try {
    await confirmPromotion(begun);
    return begun;
  } catch (error) {
    // Not paid, or not known: there is nothing to wait for. Anything else may pass, and might hide a payment.
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

/** Payments hears of a new event by a message: so often it is asked again, in these milliseconds, before it is unknown. */
const UNHEARD_TRIES = 4;
const UNHEARD_MS = 1_000;

/** The payment of a promotion. Asked for each time the checkout opens; repeated, it is the same payment. */
export const beginningQuery = (purchase: Purchase) =>
  queryOptions({
    queryKey: ['promotion-payment', purchase],
    queryFn: ({ signal }) => begin(purchase, signal),
    retry: (tries, error) => error instanceof HttpError && error.status === 404 && tries < UNHEARD_TRIES,
    retryDelay: UNHEARD_MS,
    gcTime: 0,
  });

/** Asked before anything is configured: null, or the payment that was made before a reload. */
export const paidBeforeQuery = (slot: Slot) =>
  queryOptions({
    queryKey: ['promotion-paid-before', slot],
    queryFn: () => paidBefore(slot),
    gcTime: 0,
  });

/** The catalog starts a promotion by a message: so often the event is asked for it. */
const START_TRIES = 4;

/** Has what is shown of events asked for again, until the event says that it is promoted. Never rejects. */
export async function refreshUntilStarted(queries: QueryClient, eventId: number, level: PaidLevel): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    const event = await get(`/api/events/${eventId}`, Event).catch(() => null);
    await queries.invalidateQueries({ queryKey: ['/api/events'] });
    if (event?.promotionLevel === level) return;
    await pauseAfter(tries);
  }
}
