import { Router } from 'express';
import { uuidFrom } from '@beltway/event-store';
import {
  ConfirmPromotionPaymentBody,
  CreatePromotionPaymentBody,
  PROMOTIONS,
  PaidLevel,
  type ConfirmedPromotion,
  type PromotionPayment,
} from '@beltway/contracts/promotion';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { HttpProblem, forbidden, notFound } from '@beltway/kit/problems';
import { requestPayment, settlePayment, type PaymentDeps } from '../payment/actions.ts';
import { levelOf, type Bought } from '../payment/bought.ts';
import { latestPromotion } from '../payment/queries.ts';
import { eventById } from './events.ts';

const wrong = (code: string, field: string, message: string, status = 422): HttpProblem =>
  new HttpProblem(status, code, message, { errors: [{ field, message }] });

/** What it costs is the catalogue's to say: a level that is none, or another price, was tampered with. */
function priceOf({ promotionLevel, amount }: CreatePromotionPaymentBody): {
  level: 'featured' | 'premium';
  cents: number;
} {
  const level = PaidLevel.safeParse(promotionLevel);
  if (!level.success) throw wrong('unknown-promotion', 'promotionLevel', 'This promotion does not exist.');
  if (level.data === 'livestream') throw wrong('not-on-sale', 'promotionLevel', 'Livestreams cannot be bought yet.');
  const { cents } = PROMOTIONS[level.data];
  if (amount !== undefined && amount !== cents)
    throw wrong('wrong-amount', 'amount', `This promotion costs ${cents} cents.`);
  return { level: level.data, cents };
}

/** Only its organiser promotes an event, and only one that will be. */
async function promotable({ pool }: PaymentDeps, eventId: number | undefined, callerId: number, now: Date) {
  if (eventId === undefined) throw wrong('event-missing', 'eventId', 'Please choose the event to promote.');
  const event = await eventById(pool, eventId);
  if (!event) throw notFound('This event');
  if (event.ownerId !== callerId) throw forbidden();
  if (event.status === 'cancelled') throw wrong('event-cancelled', 'eventId', 'This event was cancelled.', 409);
  if (event.status === 'postponed')
    throw wrong('event-postponed', 'eventId', 'This event has no date at present. Promote it when it has one.', 409);
  if (event.endsAt <= now) throw wrong('event-over', 'eventId', 'This event is over.', 409);
  return { eventId, title: event.title };
}

/**
 * The payment that this call is about: the one that is still open, so that a page that is loaded twice pays once; once that is
 * settled, a new one, which extends the promotion. Its id is made of the one before, so that two calls at a time agree.
 */
async function paymentIdFor(deps: PaymentDeps, buyerId: number, bought: Bought & { eventId: number }, cents: number) {
  const level = levelOf(bought);
  const latest = await latestPromotion(deps.pool, bought.eventId, buyerId, level ?? '');
  const next = uuidFrom(`promotion\0${buyerId}\0${bought.eventId}\0${level}\0${latest?.id ?? ''}`);
  if (!latest || latest.amountCents !== cents) return next;
  if (latest.status === 'cancelled') return latest.id;
  // Paid perhaps, and not heard of yet: nobody shall pay for it again.
  const { status } = await settlePayment(deps, latest.paymentId);
  return status === 'succeeded' || status === 'refunded' ? next : latest.id;
}

/** POST /api/create-promotion-payment and /api/confirm-promotion-payment (docs/product.md#promotion). */
export function promotionRoutes(
  deps: PaymentDeps & { auth: Pick<Authenticator, 'signedIn'>; clock?: () => Date },
): Router {
  const { auth, clock = () => new Date() } = deps;
  const router = Router();

  router.post('/api/create-promotion-payment', auth.signedIn, async (req, res) => {
    const body = CreatePromotionPaymentBody.parse(req.body);
    const { id: buyerId, email: receiptEmail } = callerOf(req);
    const { level, cents } = priceOf(body);
    const { eventId, title } = await promotable(deps, body.eventId, buyerId, clock());
    const bought = { purpose: 'promotion', eventId, level } as const;
    const id = await paymentIdFor(deps, buyerId, bought, cents);
    const terms = { id, amountCents: cents, bought, organiserId: null, buyerId };
    const asked = { terms, description: `Promotion (${level}) of ${title}`.slice(0, 500), receiptEmail };
    const { clientSecret } = await requestPayment(deps, asked, requestIdOf(res));
    res.set('Cache-Control', 'no-store').json({ clientSecret, amount: cents } satisfies PromotionPayment);
  });

  /** The page's way of settling; the webhook and the reconciler record the same. */
  router.post('/api/confirm-promotion-payment', auth.signedIn, async (req, res) => {
    const { paymentIntentId } = ConfirmPromotionPaymentBody.parse(req.body);
    const { bought, buyerId, status } = await settlePayment(deps, paymentIntentId);
    const promotionLevel = levelOf(bought);
    if (promotionLevel === null || bought.purpose === 'ad' || buyerId !== callerOf(req).id)
      throw notFound('This payment');
    const outcome = STATUS[status];
    if (!outcome) throw new HttpProblem(409, 'not-paid', 'This payment has not gone through.');
    res
      .set('Cache-Control', 'no-store')
      .json({ status: outcome, eventId: bought.eventId, promotionLevel } satisfies ConfirmedPromotion);
  });

  return router;
}

const STATUS: Partial<Record<string, ConfirmedPromotion['status']>> = {
  succeeded: 'paid',
  processing: 'processing',
  refunded: 'refunded',
};
