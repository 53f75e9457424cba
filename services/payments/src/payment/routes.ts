import { Router } from 'express';
import { RefundableQuery } from '@beltway/contracts/catalog/events';
import { IdText } from '@beltway/contracts/common/basics';
import {
  DecidedBody,
  RequestPaymentBody,
  type DecidedPayments,
  type SettledPayment,
} from '@beltway/contracts/payments/payments';
import { requestIdOf } from '@beltway/kit/app';
import { notFound } from '@beltway/kit/problems';
import {
  cancelPayment,
  decidedPayments,
  ofTickets,
  requestPayment,
  settlePayment,
  type PaymentDeps,
  type Settled,
} from './actions.ts';
import { refundableOf } from './queries.ts';

const INTENT = /^pi_[A-Za-z0-9_]{6,200}$/;

function intentOf(paymentId: string): string {
  if (!INTENT.test(paymentId)) throw notFound('payment');
  return paymentId;
}

/** Ticketing may only read payments for tickets, because no other payment pays for an order. */
function answer(settled: Settled): SettledPayment {
  const payment = ofTickets(settled);
  if (!payment) throw notFound('payment');
  return payment;
}

/** For our own services only; the app puts `internalOnly` in front. Shapes: contracts/payments.ts. */
export function paymentRoutes(deps: PaymentDeps): Router {
  const router = Router();

  /** 200 RequestedPayment; 422 `payment-changed` or `payment-refused`, 503 while the provider is down. */
  router.post('/internal/payments', async (req, res) => {
    const { orderId, eventId, organizerId, buyerId, amountCents, description } = RequestPaymentBody.parse(req.body);
    const id = orderId.toLowerCase();
    const bought = { purpose: 'tickets', orderId: id, eventId } as const;
    const terms = { id, amountCents, bought, organizerId, buyerId };
    // No receipt: the buyer may correct the address later, but the provider would mail the first one, and refuse another
    // one with the same idempotency key.
    res.json(await requestPayment(deps, { terms, description, receiptEmail: null }, requestIdOf(res)));
  });

  /** 200 RefundableOfEvent: the refunds that a cancellation of the event would cause. */
  router.get('/internal/events/:eventId/refundable', async (req, res) => {
    const { organizerId } = RefundableQuery.parse(req.query);
    res.json(await refundableOf(deps.pool, IdText.parse(req.params.eventId), organizerId));
  });

  /** 200 DecidedPayments: undecided and unknown payments are left out. */
  router.post('/internal/payments/decided', async (req, res) => {
    const { paymentIds } = DecidedBody.parse(req.body);
    res.json({ payments: await decidedPayments(deps, paymentIds) } satisfies DecidedPayments);
  });

  /** 200 SettledPayment; 404 for a payment we never requested, 503 while the provider is down. */
  router.post('/internal/payments/:paymentId/settle', async (req, res) => {
    res.json(answer(await settlePayment(deps, intentOf(req.params.paymentId))));
  });

  /** Same responses as settle. */
  router.post('/internal/payments/:paymentId/cancel', async (req, res) => {
    res.json(answer(await cancelPayment(deps, intentOf(req.params.paymentId))));
  });

  return router;
}
