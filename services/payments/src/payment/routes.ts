import { Router } from 'express';
import { DecidedBody, RequestPaymentBody, type DecidedPayments } from '@beltway/contracts/payments';
import { requestIdOf } from '@beltway/kit/app';
import { notFound } from '@beltway/kit/problems';
import { cancelPayment, decidedPayments, requestPayment, settlePayment, type PaymentDeps } from './actions.ts';

const INTENT = /^pi_[A-Za-z0-9_]{6,200}$/;

function intentOf(paymentId: string): string {
  if (!INTENT.test(paymentId)) throw notFound('This payment');
  return paymentId;
}

/** For our own services only; the app puts `internalOnly` in front. Shapes: contracts/payments.ts. */
export function paymentRoutes(deps: PaymentDeps): Router {
  const router = Router();

  /** 200 RequestedPayment; 422 `payment-changed` or `payment-refused`, 503 while the provider is away. */
  router.post('/internal/payments', async (req, res) => {
    const body = RequestPaymentBody.parse(req.body);
    res.json(await requestPayment(deps, body, requestIdOf(res)));
  });

  /** 200 DecidedPayments: what is not decided, or not known, is not in it. */
  router.post('/internal/payments/decided', async (req, res) => {
    const { paymentIds } = DecidedBody.parse(req.body);
    const answer: DecidedPayments = { payments: await decidedPayments(deps, paymentIds) };
    res.json(answer);
  });

  /** 200 SettledPayment; 404 for a payment we never asked for, 503 while the provider is away. */
  router.post('/internal/payments/:paymentId/settle', async (req, res) => {
    res.json(await settlePayment(deps, intentOf(req.params.paymentId)));
  });

  /** As settle. */
  router.post('/internal/payments/:paymentId/cancel', async (req, res) => {
    res.json(await cancelPayment(deps, intentOf(req.params.paymentId)));
  });

  return router;
}
