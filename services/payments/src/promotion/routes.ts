import { Router } from 'express';
import { z } from 'zod';
import { fingerprintOf, uuidFrom } from '@beltway/event-store';
import {
  ConfirmPromotionPaymentBody,
  CreatePromotionPaymentBody,
  PROMOTIONS,
  PaidLevel,
  type ConfirmedPromotion,
  type PromotionPayment,
} from '@beltway/contracts/catalog/promotion';
import { only } from '@beltway/contracts/common/basics';
import { ConfiguredLivestream, type PaidLivestream } from '@beltway/contracts/catalog/livestream';
import { LivestreamConfig, livestreamFault, usualLivestream } from '@beltway/contracts/catalog/livestream-config';
import type { PaymentStatus } from '@beltway/contracts/payments/payments';
import { arrivals } from '@beltway/kit/arrivals';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { HttpProblem, arriving, badField, forbidden, notFound } from '@beltway/kit/problems';
import {
  boughtBy,
  cancelPayment,
  requestPayment,
  settlePayment,
  type PaymentDeps,
  type Settled,
} from '../payment/actions.ts';
import { levelOf, type Bought } from '../payment/bought.ts';
import { sameBought } from '../payment/decider.ts';
import { latestPromotion, paymentByIntent, type PaymentRow } from '../payment/queries.ts';
import { eventById, newestEvent } from './events.ts';

/**
 * Reads the price from the catalogue. A request with an unknown level or a different price was tampered with and is
 * refused.
 */
function priceOf({ promotionLevel, amount }: CreatePromotionPaymentBody): { level: PaidLevel; cents: number } {
  const level = PaidLevel.safeParse(promotionLevel);
  if (!level.success) throw badField('promotionLevel', 'unknown-promotion', { status: 422 });
  const { cents } = PROMOTIONS[level.data];
  if (amount !== undefined && amount !== cents)
    throw badField('amount', 'wrong-amount.promotion', { status: 422, params: { cents } });
  return { level: level.data, cents };
}

/** Only the organizer may promote an event, and only an upcoming event. */
async function promotable(
  { pool, mayArrive }: PaymentDeps & { mayArrive: (eventId: number) => Promise<boolean> },
  eventId: number | undefined,
  callerId: number,
  now: Date,
) {
  if (eventId === undefined) throw badField('eventId', 'event-missing', { status: 422 });
  const event = await eventById(pool, eventId);
  if (!event && (await mayArrive(eventId))) throw arriving('promotable-soon');
  if (!event) throw notFound('event');
  if (event.ownerId !== callerId) throw forbidden();
  if (event.status === 'canceled') throw badField('eventId', 'event-canceled', { status: 409 });
  if (event.status === 'suspended') throw badField('eventId', 'event-suspended.promotion', { status: 409 });
  if (event.status === 'postponed') throw badField('eventId', 'event-postponed.promotion', { status: 409 });
  if (event.endsAt <= now) throw badField('eventId', 'event-over', { status: 409 });
  return { ...event, eventId };
}

type Promotable = Awaited<ReturnType<typeof promotable>>;
type Promotion = Extract<Bought, { purpose: 'promotion' | 'livestream' }>;

type Hours = Pick<Promotable, 'startsAt' | 'endsAt'>;

/**
 * Validates the configuration against the event's hours and returns the configuration for storage. Throws 422 with the
 * name of the invalid field.
 */
function checked(config: LivestreamConfig, event: Hours, now: Date): PaidLivestream {
  const fault = livestreamFault(config, event, now);
  if (fault) throw badField(`livestreamConfig.${fault.field}`, fault.text, { status: 422, code: 'livestream-times' });
  return { ...config, eventStartsAt: event.startsAt?.toISOString() ?? null };
}

/**
 * For a request without a configuration: returns the configuration of the payment in progress, else the event's hours.
 */
function unconfigured(event: Hours, latest: PaymentRow | undefined, now: Date): PaidLivestream {
  if (latest && (latest.status === 'open' || latest.status === 'processing')) {
    const before = boughtBy(latest);
    if (before.purpose === 'livestream' && livestreamFault(before.livestream, event, now) === null)
      return before.livestream;
  }
  const usual = usualLivestream(event, now);
  if (livestreamFault(usual, event, now)) throw badField('eventId', 'event-over.no-time', { status: 409 });
  return { ...usual, eventStartsAt: event.startsAt?.toISOString() ?? null, isUsual: true };
}

/** The configuration of a live stream is part of the purchase, so settling the payment needs no other input. */
function boughtFor(
  level: PaidLevel,
  event: Promotable,
  config: LivestreamConfig | undefined,
  latest: PaymentRow | undefined,
  now: Date,
): Promotion {
  const { eventId } = event;
  if (level !== 'livestream') return { purpose: 'promotion', eventId, level };
  const livestream = config ? checked(config, event, now) : unconfigured(event, latest, now);
  return { purpose: 'livestream', eventId, livestream };
}

/**
 * The id of the payment for this call. While a payment is open, that payment's id, so that a page loaded twice pays
 * once. After the payment is settled, a new id, whose payment extends the promotion. The new id is derived from the
 * previous id, so that concurrent calls get the same id.
 */
async function paymentIdFor(
  deps: PaymentDeps,
  { buyerId, bought, level, cents }: { buyerId: number; bought: Promotion; level: PaidLevel; cents: number },
  latest: PaymentRow | undefined,
  now: Date,
): Promise<string> {
  const what = bought.purpose === 'livestream' ? `\0${JSON.stringify(bought.livestream)}` : '';
  const next = uuidFrom(`promotion\0${buyerId}\0${bought.eventId}\0${level}\0${latest?.id ?? ''}${what}`);
  if (!latest || latest.amountCents !== cents) return next;
  const isSame = sameBought(boughtBy(latest), bought);
  if (latest.status === 'canceled') return isSame ? latest.id : next;
  // The latest payment may be paid without our knowledge. The buyer must not pay twice, so the provider is asked.
  const { status } = await (isSame ? settlePayment : cancelPayment)(deps, latest.paymentId);
  if (bought.purpose === 'livestream') refuseSecondStream(boughtBy(latest), status, isSame, now);
  return isSame && status !== 'succeeded' && status !== 'refunded' ? latest.id : next;
}

/** Refuses a second live stream for an event. Also refuses another configuration while a payment is being processed. */
function refuseSecondStream(before: Bought, status: PaymentStatus, isSame: boolean, now: Date): void {
  const isComing = before.purpose === 'livestream' && new Date(before.livestream.endTime) > now;
  if (status === 'succeeded' && isComing) throw badField('eventId', 'livestream-exists', { status: 409 });
  if (!isSame && status !== 'succeeded' && status !== 'refunded' && status !== 'canceled')
    throw badField('livestreamConfig', 'payment-processing', { status: 409 });
}

/**
 * Records the configuration that the browser sends with the confirmation, after the payment was recorded. An invalid
 * configuration is refused with the name of the invalid field. The live stream then keeps the event's hours until its
 * owner changes the hours.
 */
async function configure(
  deps: PaymentDeps,
  { id, paymentId, bought }: Pick<Settled, 'id' | 'paymentId'> & { bought: Extract<Bought, { purpose: 'livestream' }> },
  config: unknown,
  now: Date,
): Promise<PaidLivestream> {
  const { livestreamConfig } = z.object({ livestreamConfig: LivestreamConfig }).parse({ livestreamConfig: config });
  const event = await eventById(deps.pool, bought.eventId);
  if (!event) throw notFound('event');
  const livestream = checked(livestreamConfig, event, now);
  await deps.payments.handle(
    id,
    { type: 'ConfigureLivestream', paymentId, livestream },
    { commandId: `livestream:${id}:${fingerprintOf(livestream)}`, correlationId: id },
  );
  const row = await paymentByIntent(deps.pool, paymentId);
  const after = row && boughtBy(row);
  return after?.purpose === 'livestream' ? after.livestream : bought.livestream;
}

/** POST /api/create-promotion-payment and /api/confirm-promotion-payment (services/catalog/PRODUCT.md#promotion). */
export function promotionRoutes(
  deps: PaymentDeps & { auth: Pick<Authenticator, 'signedIn'>; clock?: () => Date },
): Router {
  const { auth, pool, clock = () => new Date() } = deps;
  const router = Router();
  const mayArrive = arrivals({ newest: () => newestEvent(pool), clock });

  router.post('/api/create-promotion-payment', auth.signedIn, async (req, res) => {
    const body = CreatePromotionPaymentBody.parse(req.body);
    const { id: buyerId, email: receiptEmail } = callerOf(req);
    const { level, cents } = priceOf(body);
    const now = clock();
    const event = await promotable({ ...deps, mayArrive }, body.eventId, buyerId, now);
    const latest = await latestPromotion(pool, event.eventId, buyerId, level);
    const bought = boughtFor(level, event, body.livestreamConfig, latest, now);
    const id = await paymentIdFor(deps, { buyerId, bought, level, cents }, latest, now);
    const terms = { id, amountCents: cents, bought, organizerId: null, buyerId };
    const asked = { terms, description: `Promotion (${level}) of ${event.title}`.slice(0, 500), receiptEmail };
    const { clientSecret } = await requestPayment(deps, asked, requestIdOf(res));
    res.set('Cache-Control', 'no-store').json({ clientSecret, amount: cents } satisfies PromotionPayment);
  });

  /**
   * Settles the payment when the browser confirms it. Without this call, the webhook and the reconciler record the same
   * outcome.
   */
  router.post('/api/confirm-promotion-payment', auth.signedIn, async (req, res) => {
    const { paymentIntentId, livestreamConfig } = ConfirmPromotionPaymentBody.parse(req.body);
    const { id, paymentId, bought, buyerId, status } = await settlePayment(deps, paymentIntentId);
    const promotionLevel = levelOf(bought);
    if (bought.purpose === 'ad' || promotionLevel === null || buyerId !== callerOf(req).id) throw notFound('payment');
    const outcome = STATUS[status];
    if (!outcome) throw new HttpProblem(409, 'not-paid');
    const livestream =
      bought.purpose !== 'livestream'
        ? undefined
        : bought.livestream.isUsual && livestreamConfig !== undefined
          ? await configure(deps, { id, paymentId, bought }, livestreamConfig, clock())
          : bought.livestream;
    res.set('Cache-Control', 'no-store').json({
      status: outcome,
      eventId: bought.eventId,
      promotionLevel,
      ...(livestream && { livestreamConfig: only(ConfiguredLivestream, livestream) }),
    } satisfies ConfirmedPromotion);
  });

  return router;
}

const STATUS: Partial<Record<PaymentStatus, ConfirmedPromotion['status']>> = {
  succeeded: 'paid',
  processing: 'processing',
  refunded: 'refunded',
};
