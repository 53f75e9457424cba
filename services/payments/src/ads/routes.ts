import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { uuidFrom } from '@beltway/event-store';
import {
  AD_FEATURES,
  AD_PACKAGES,
  AdPackageId,
  AdPaymentStateBody,
  CreateAdPaymentBody,
  adPackage,
  type AdPackage,
  type AdPackages,
  type AdPayment,
  type AdPaymentState,
} from '@beltway/contracts/payments/ads';
import { centsToDollars } from '@beltway/contracts/common/basics';
import type { PaymentStatus } from '@beltway/contracts/payments/payments';
import { requestIdOf } from '@beltway/kit/app';
import type { Authenticator, Caller } from '@beltway/kit/auth';
import { badKey } from '@beltway/kit/idempotency-key';
import { languageOf } from '@beltway/kit/language';
import { HttpProblem, badField, notFound } from '@beltway/kit/problems';
import { hasSecret, requestPayment, settlePayment, type PaymentDeps } from '../payment/actions.ts';
import { paymentById } from '../payment/queries.ts';
import { keepAdOrder } from './orders.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const CATALOGUE: AdPackages = AD_PACKAGES.map(({ cents, features, ...rest }) => ({
  ...rest,
  features: features.map((feature) => AD_FEATURES[feature]),
  price: centsToDollars(cents),
  priceCents: cents,
}));

/**
 * Reads the price from the catalogue. Refuses an unknown package and a different price: the request was tampered with,
 * or its page was opened before a price change.
 */
function packageOf({ packageId, amount }: CreateAdPaymentBody): AdPackage {
  const wanted = adPackage(packageId);
  if (!wanted) throw badField('packageId', 'unknown-package', { status: 422 });
  if (amount !== wanted.cents)
    throw badField('amount', 'wrong-amount.package', { status: 422, params: { cents: wanted.cents } });
  return wanted;
}

/** Guests also choose idempotency keys. Two guests with the same key would share an ad, so the key must be a UUID. */
function adIdFor(key: string | undefined, caller: Caller | undefined, packageId: AdPackageId): string {
  if (key !== undefined && !UUID.test(key)) throw badKey('invalid.key-uuid');
  return uuidFrom(`ad\0${caller?.id ?? 'guest'}\0${key?.toLowerCase() ?? randomUUID()}\0${packageId}`);
}

const STATE: Record<PaymentStatus, AdPaymentState['status']> = {
  open: 'open',
  action: 'open',
  processing: 'processing',
  succeeded: 'paid',
  canceled: 'canceled',
  refunded: 'refunded',
};

/** The catalogue of ads, and their purchase (services/catalog/PRODUCT.md#ads). */
export function adRoutes(deps: PaymentDeps & { auth: Pick<Authenticator, 'optional'> }): Router {
  const { auth, pool } = deps;
  const router = Router();

  router.get('/api/ad-packages', (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=60', 'Cache-Tag': 'ad-packages' }).json(CATALOGUE);
  });

  router.post('/api/create-ad-payment-intent', auth.optional, async (req, res) => {
    const body = CreateAdPaymentBody.parse(req.body);
    const { id: packageId, name, duration, cents } = packageOf(body);
    const id = adIdFor(req.get('idempotency-key'), req.caller, packageId);
    const paid = (await paymentById(pool, id))?.payment?.status;
    if (paid === 'succeeded' || paid === 'refunded') throw new HttpProblem(409, 'already-paid.ad');
    const buyerId = req.caller?.id ?? null;
    const language = languageOf(req) ?? 'en';
    await keepAdOrder(pool, { id, packageId, userId: buyerId, language, ...body.businessInfo });
    const bought = { purpose: 'ad', packageId } as const;
    const terms = { id, amountCents: cents, bought, organizerId: null, buyerId };
    // The provider sends no receipt, because the intent would keep the email address of the first request even if the
    // buyer corrects it in a retry; our own mail uses the corrected address.
    const asked = { terms, description: `Ad: ${name}, ${duration}`, receiptEmail: null };
    const { clientSecret } = await requestPayment(deps, asked, requestIdOf(res));
    res.set('Cache-Control', 'no-store').json({ clientSecret } satisfies AdPayment);
  });

  /** Returns the payment's current state. The webhook and the reconciler settle the payment even without this call. */
  router.post('/api/ad-payment-state', async (req, res) => {
    const { clientSecret } = AdPaymentStateBody.parse(req.body);
    const paymentId = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
    if (!(await hasSecret(deps, paymentId, clientSecret))) throw notFound('payment');
    const { bought, status } = await settlePayment(deps, paymentId);
    if (bought.purpose !== 'ad') throw notFound('payment');
    const answer: AdPaymentState = { status: STATE[status], packageId: AdPackageId.parse(bought.packageId) };
    res.set('Cache-Control', 'no-store').json(answer);
  });

  return router;
}
