/**
 * The header that passes a span's id to the work that the span causes (W3C Trace Context, section 3.2). Messages and
 * rows contain the same value.
 */
export const TRACEPARENT = 'traceparent';

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const ZEROS = /^0+$/;

export interface TraceContext {
  traceId: string;
  spanId: string;
  /** Whether the trace's spans are recorded. */
  isSampled: boolean;
}

/** Parses a `traceparent`; undefined if it is invalid. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = (typeof text === 'string' && FORM.exec(text)) || [];
  if (ZEROS.test(traceId) || ZEROS.test(spanId) || traceId === '') return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}
