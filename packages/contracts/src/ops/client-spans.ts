import { z } from 'zod';
import { fault } from '../problems/fault.ts';

/** Requests after a buyer's click, measured by the frontend. */
export const ClientSpanName = z.enum(['hold tickets', 'prepare payment', 'buy tickets']);
export type ClientSpanName = z.infer<typeof ClientSpanName>;

/**
 * POST /api/client-spans: the duration of such a request as the browser measured it. The measurement becomes the root
 * span of the request's trace.
 */
export const ClientSpan = z.strictObject({
  name: ClientSpanName,
  /** The header that the frontend sent with the request (W3C Trace Context). Only recorded traces are accepted. */
  traceparent: z.string().regex(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/, fault('invalid.traceparent')),
  durationMs: z.int().min(0).max(600_000),
  hasFailed: z.boolean(),
});
export type ClientSpan = z.infer<typeof ClientSpan>;

export const MAX_SPAN_BYTES = 1_024;
