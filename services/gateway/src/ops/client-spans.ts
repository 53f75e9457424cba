import { Router } from 'express';
import { ClientSpan, MAX_SPAN_BYTES } from '@beltway/contracts/ops/client-spans';
import type { RequestSpans } from '../inbound/request-spans.ts';
import { jsonOf } from './json.ts';

/**
 * POST /api/client-spans: the duration of a traced request, measured in a browser. The span ends at the time when this
 * report arrives, because a browser's clock may be wrong. Without tracing the report is dropped.
 */
export function clientSpanRoutes(spans: RequestSpans | undefined, now = () => Date.now()): Router {
  const router = Router();
  router.post('/api/client-spans', async (req, res) => {
    const { name, traceparent, durationMs, hasFailed } = ClientSpan.parse(await jsonOf(req, MAX_SPAN_BYTES));
    const end = now();
    spans?.report({ name, traceparent, start: end - durationMs, end, hasFailed });
    res.status(204).end();
  });
  return router;
}
