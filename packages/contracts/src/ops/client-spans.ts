import { z } from 'zod';
import { fault } from '../problems/fault.ts';

/** What the page measures: requests that follow from a click of a buyer. */
export const ClientSpanName = z.enum(['hold tickets', 'prepare payment', 'buy tickets']);
export type ClientSpanName = z.infer<typeof ClientSpanName>;

/** POST /api/client-spans: how long such a request took, as the browser saw it; the beginning of its trace. */
export const ClientSpan = z.strictObject({
  name: ClientSpanName,
  /** As it was sent with the request (W3C Trace Context), of a trace that is recorded. */
  traceparent: z.string().regex(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/, fault('invalid.traceparent')),
  durationMs: z.int().min(0).max(600_000),
  hasFailed: z.boolean(),
});
export type ClientSpan = z.infer<typeof ClientSpan>;

export const MAX_SPAN_BYTES = 1_024;
