/** The header by which a span names itself to what it causes (W3C Trace Context, section 3.2), in messages and rows too. */
export const TRACEPARENT = 'traceparent';

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const ZEROS = /^0+$/;

export interface TraceContext {
  traceId: string;
  spanId: string;
  /** Whether its spans are recorded. */
  isSampled: boolean;
}

/** What a `traceparent` says; undefined for a text that is none. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = (typeof text === 'string' && FORM.exec(text)) || [];
  if (ZEROS.test(traceId) || ZEROS.test(spanId) || traceId === '') return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}
