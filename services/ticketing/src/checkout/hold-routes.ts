import express, { Router, type RequestHandler } from 'express';
import {
  HoldBatch,
  type GuestKey,
  type HoldBatchAnswer,
  type HoldAnswer,
  type HoldRequest,
} from '@beltway/contracts/ticketing/tickets';
import { requestIdFrom, requestIdOf } from '@beltway/kit/app';
import { internalOnly } from '@beltway/kit/internal';
import { parseJson } from '@beltway/kit/json-body';
import { asProblem, notFound, problemText } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { answerRecorded, requestRecorder, type RequestRecorder } from '@beltway/kit/request-record';
import type { Secrets } from '@beltway/kit/secrets';
import type { Deps } from '../deps.ts';
import { openOrder, secretAnswer } from '../order/access.ts';
import { orderById } from '../order/queries.ts';
import { newGuestKey } from './guests.ts';
import { closePayment, orderHold, takeHold } from './hold.ts';

export function holdRoutes(deps: Deps): Router {
  const { sales, pool, auth, ticketSecret, clock } = deps;
  const router = Router();

  /**
   * Creates a key for a guest's orders. The key is unguessable, and every instance recognizes it without storing it.
   * 201 GuestKey.
   */
  router.post('/api/order-keys', (_req, res) => {
    secretAnswer(res)
      .status(201)
      .json({ key: newGuestKey(ticketSecret) } satisfies GuestKey);
  });

  /** Takes a single hold. Gateways usually send holds in batches instead (`holdBatches`). 201 Hold. */
  router.post('/api/holds', auth.optional, async (req, res) => {
    const key = req.get('idempotency-key');
    const { body, caller } = req;
    const hold = await takeHold(deps, { body, key, caller, address: addressOf(req), requestId: requestIdOf(res) });
    res.status(201).json(hold);
  });

  /**
   * Extends a hold once by ten minutes, to at most twenty from its start. `x-order-key`: the access key, for guests.
   * 409 `already-extended`, `hold-gone`.
   */
  router.post('/api/holds/:orderId/extension', auth.optional, async (req, res) => {
    const { orderId, eventId } = await openOrder(deps, req);
    await sales.handle(
      eventId,
      { type: 'ExtendHold', orderId, at: clock().toISOString() },
      { commandId: `extend:${orderId}`, correlationId: requestIdOf(res) },
    );
    const order = await orderById(pool, orderId);
    if (!order) throw notFound('order');
    res.status(200).json(orderHold(ticketSecret, order));
  });

  /** Gives a hold back. 204, even if the hold was already gone; 409 `already-paid`, `payment-under-way`. */
  router.delete('/api/holds/:orderId', auth.optional, async (req, res) => {
    const order = await openOrder(deps, req);
    const { orderId, eventId, status } = order;
    const closed = await closePayment(deps, order, requestIdOf(res));
    if (status === 'held')
      await sales.handle(
        eventId,
        { type: 'ReleaseHold', orderId, reason: 'given-back', at: clock().toISOString(), ...closed },
        { commandId: `give-back:${orderId}`, correlationId: requestIdOf(res) },
      );
    res.status(204).end();
  });

  return router;
}

/** A gateway sends at most 250 holds together. A hold with its session token takes about a kilobyte. */
const MAX_BATCH = '4mb';

/**
 * `POST /internal/holds`: takes concurrent holds that a gateway sends in one request, `HoldBatch` in, `HoldBatchAnswer`
 * out (docs/architecture.md#hold-batching). Each hold is validated, decided, logged and counted separately, like `POST
 * /api/holds`. Must be mounted before the body parser, because the bodies of this route are larger.
 */
export function holdBatches(deps: Deps, internalToken: Secrets, enter: RequestHandler): Router {
  const record = requestRecorder(deps.log);
  const router = Router();
  router.post(
    '/internal/holds',
    internalOnly(internalToken),
    express.json({ limit: MAX_BATCH }),
    enter,
    async (req, res) => {
      const { holds } = HoldBatch.parse(req.body);
      const answers: HoldBatchAnswer = {
        answers: await Promise.all(holds.map((hold) => answerBatchedHold(deps, record, hold))),
      };
      // Does not use `res.json` of Express, which would convert the text to bytes and write the bytes separately from
      // the head.
      const text = JSON.stringify(answers);
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.setHeader('content-length', Buffer.byteLength(text));
      res.end(text);
    },
  );
  return router;
}

function answerBatchedHold(deps: Deps, record: RequestRecorder, hold: HoldRequest): Promise<HoldAnswer> {
  const { traceparent, authorization, key, gatewayKey, address } = hold;
  const requestId = requestIdFrom(hold.requestId);
  const request = { requestId, method: 'POST', route: '/api/holds', ...(traceparent !== undefined && { traceparent }) };
  return answerRecorded(record, request, async () => {
    try {
      const caller = await deps.auth.identify(authorization);
      const body = hold.body === '' ? {} : parseJson(Buffer.from(hold.body));
      const held = await takeHold(deps, { body, key, gatewayKey, caller, address, requestId });
      return { status: 201, body: JSON.stringify(held) };
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) deps.log.warn({ err: error, requestId }, 'a hold could not be decided');
      const { status, retryAfter } = problem;
      return { status, body: problemText(problem, requestId), ...(retryAfter !== undefined && { retryAfter }) };
    }
  });
}
