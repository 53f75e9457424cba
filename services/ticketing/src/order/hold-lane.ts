import express, { Router, type RequestHandler } from 'express';
import { HoldTogether, type HeldTogether, type HoldAnswer, type HoldRequest } from '@beltway/contracts/ticketing';
import { requestIdFrom } from '@beltway/kit/app';
import { internalOnly } from '@beltway/kit/internal';
import { parseJson } from '@beltway/kit/json-body';
import { observeRequest } from '@beltway/kit/metrics';
import { asProblem, problemText } from '@beltway/kit/problems';
import { requestLog } from '@beltway/kit/request-log';
import type { Deps } from '../deps.ts';
import { takeHold } from './take-hold.ts';

/** A gateway sends at most 250 together; a hold with its token is about a kilobyte. */
const LIMIT = '4mb';

/**
 * `POST /internal/holds`: a crowd's holds as a gateway hands them on, `HoldTogether` in, `HeldTogether` out
 * (docs/architecture.md#the-hold-lane). Each is checked, decided, logged and counted by itself, with the answer of `POST /api/holds`.
 * Comes before what reads bodies.
 */
export function holdLane(deps: Deps, internalToken: string, enter: RequestHandler): Router {
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
    const answered = await decided({ ...hold, requestId });
    const ms = performance.now() - started;
    observeRequest('POST', answered.status, ms / 1_000);
    line({ requestId, method: 'POST', path: '/api/holds', status: answered.status, ms: Math.round(ms) });
    return answered;
  }

  const router = Router();
  router.post(
    '/internal/holds',
    internalOnly(internalToken),
    express.json({ limit: LIMIT }),
    enter,
    async (req, res) => {
      const { holds } = HoldTogether.parse(req.body);
      const answers: HeldTogether = { answers: await Promise.all(holds.map(answer)) };
      // Past Express, which would make bytes of it first, and write them apart from the head.
      const text = JSON.stringify(answers);
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.setHeader('content-length', Buffer.byteLength(text));
      res.end(text);
    },
  );
  return router;
}
