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
import { observeRequest } from '@beltway/kit/metrics';
import { asProblem, notFound, problemText } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { requestLog } from '@beltway/kit/request-log';
import type { Secrets } from '@beltway/kit/secrets';
import { inSpan, startSpan } from '@beltway/tracing';
import type { Deps } from '../deps.ts';
import { openOrder, secretAnswer } from '../order/access.ts';
import { orderById } from '../order/queries.ts';
import { newGuestKey } from './guests.ts';
import { closePayment, orderHold, takeHold } from './hold.ts';

export function holdRoutes(deps: Deps): Router {
  const { sales, pool, auth, ticketSecret, clock } = deps;
  const router = Router();

  /** A key for a guest's orders: unguessable, and recognised by any instance without being stored. 201 GuestKey. */
  router.post('/api/order-keys', (_req, res) => {
    secretAnswer(res)
      .status(201)
      .json({ key: newGuestKey(ticketSecret) } satisfies GuestKey);
  });

  /** A hold that a gateway did not put into a batch (`holdBatches`), with all that HTTP allows. 201 Hold. */
  router.post('/api/holds', auth.optional, async (req, res) => {
    const key = req.get('idempotency-key');
    const { body, caller } = req;
    const hold = await takeHold(deps, { body, key, caller, address: addressOf(req), requestId: requestIdOf(res) });
    res.status(201).json(hold);
  });

  /**
   * Ten more minutes, once, at most twenty from the start. `x-order-key`: the access key, for guests. 409
   * `already-extended`, `hold-gone`.
   */
  router.post('/api/holds/:orderId/extension', auth.optional, async (req, res) => {
    const { orderId, eventId } = await openOrder(deps, req);
    await sales.handle(
      eventId,
      { type: 'ExtendHold', orderId, at: clock().toISOString() },
      { commandId: `extend:${orderId}`, correlationId: requestIdOf(res) },
    );
    const order = await orderById(pool, orderId);
    if (!order) throw notFound('This order');
    res.status(200).json(orderHold(ticketSecret, order));
  });

  /** Gives a hold back. 204, also when it was gone before; 409 `already-paid`, `payment-under-way`. */
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

/** A gateway sends at most 250 holds together; one with its token is about a kilobyte. */
const MAX_BATCH = '4mb';

/**
 * `POST /internal/holds`: concurrent holds in one request of a gateway, `HoldBatch` in, `HoldBatchAnswer` out
 * (docs/architecture.md#hold-batching). Each is checked, decided, logged and counted by itself, with the answer of
 * `POST /api/holds`. Mounted before the body parser, for its bodies are larger.
 */
export function holdBatches(deps: Deps, internalToken: Secrets, enter: RequestHandler): Router {
  const line = requestLog(deps.log);

  async function decided({
    authorization,
    key,
    gatewayKey,
    address,
    requestId,
    body,
  }: HoldRequest): Promise<HoldAnswer> {
    try {
      const caller = await deps.auth.identify(authorization);
      const hold = await takeHold(deps, {
        body: body === '' ? {} : parseJson(Buffer.from(body)),
        key,
        gatewayKey,
        caller,
        address,
        requestId,
      });
      return { status: 201, body: JSON.stringify(hold) };
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) deps.log.warn({ err: error, requestId }, 'a hold could not be decided');
      const { status, retryAfter } = problem;
      return { status, body: problemText(problem, requestId), ...(retryAfter !== undefined && { retryAfter }) };
    }
  }

  async function answer(hold: HoldRequest): Promise<HoldAnswer> {
    const started = performance.now();
    const requestId = requestIdFrom(hold.requestId);
    const { traceparent: parent } = hold;
    const span = parent === undefined ? undefined : startSpan('POST /api/holds', { parent, kind: 'server' });
    const answered = await inSpan(span, () => decided({ ...hold, requestId }));
    const { status } = answered;
    const ms = performance.now() - started;
    observeRequest({ method: 'POST', route: '/api/holds', status, seconds: ms / 1_000 });
    inSpan(span, () => line({ requestId, method: 'POST', route: '/api/holds', status, ms: Math.round(ms) }));
    span?.set({ 'http.request.method': 'POST', 'http.response.status_code': status });
    span?.end(status >= 500 ? { code: String(status) } : undefined);
    return answered;
  }

  const router = Router();
  router.post(
    '/internal/holds',
    internalOnly(internalToken),
    express.json({ limit: MAX_BATCH }),
    enter,
    async (req, res) => {
      const { holds } = HoldBatch.parse(req.body);
      const answers: HoldBatchAnswer = { answers: await Promise.all(holds.map(answer)) };
      // Past Express, which would make bytes of it first, and write them apart from the head.
      const text = JSON.stringify(answers);
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.setHeader('content-length', Buffer.byteLength(text));
      res.end(text);
    },
  );
  return router;
}
