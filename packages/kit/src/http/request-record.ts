import type { Request, RequestHandler } from 'express';
import { inSpan, startSpan, TRACEPARENT, type Span } from '@beltway/tracing';
import type { Logger } from '../observe/logger.ts';
import { observeRequest, UNMATCHED } from '../observe/metrics.ts';
import { requestLog } from './request-log.ts';

export interface RecordedRequest {
  requestId: string;
  method: string;
  /** The route's pattern. The path itself may contain ids and words that visitors typed. */
  route: string;
  status: number;
  /** The start by `performance.now()`. */
  startedAt: number;
  span: Span | undefined;
}

export type RequestRecorder = (request: RecordedRequest) => void;

/** Counts each request after its response and logs it within its span. Probes are not logged. */
export function requestRecorder(log: Logger): RequestRecorder {
  const lines = requestLog(log);
  return ({ requestId, method, route, status, startedAt, span }) => {
    const ms = performance.now() - startedAt;
    observeRequest({ method, route, status, seconds: ms / 1_000 });
    if (route.startsWith('/health')) return;
    if (lines.admits(status)) inSpan(span, () => lines.write({ requestId, method, route, status, ms: Math.round(ms) }));
  };
}

/** Answers one of several requests that arrived in one HTTP request, with its own span, count and log line. */
export async function answerRecorded<Answer extends { status: number }>(
  record: RequestRecorder,
  { traceparent, ...request }: Pick<RecordedRequest, 'requestId' | 'method' | 'route'> & { traceparent?: string },
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = performance.now();
  const { method, route } = request;
  const span = startServerSpan(`${method} ${route}`, traceparent);
  const answered = await inSpan(span, answer);
  record({ ...request, status: answered.status, startedAt, span });
  endServerSpan(span, method, answered.status);
  return answered;
}

/**
 * The pattern of the route that matched a request, `/api/events/:id`. The pattern is complete, because no router is
 * mounted below a pattern.
 */
export const routeOf = ({ route }: Request): string => {
  const path = (route as { path?: unknown } | undefined)?.path;
  return path === undefined ? UNMATCHED : String(path);
};

/** The request's span, if its trace is recorded. */
export const spanOf = (res: { locals: Record<string, unknown> }): Span | undefined =>
  res.locals['span'] as Span | undefined;

/**
 * Starts a span, named after the route, for each request whose caller marks its trace as recorded. Callers are the
 * gateway, which checks the headers that browsers send, and Beltway's own services.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  const span = startServerSpan(req.method, req.get(TRACEPARENT));
  if (!span) return next();
  res.locals['span'] = span;
  res.once('close', () => {
    span.rename(`${req.method} ${routeOf(req)}`);
    endServerSpan(span, req.method, res.statusCode);
  });
  next();
};

const startServerSpan = (name: string, parent: string | undefined): Span | undefined =>
  parent === undefined ? undefined : startSpan(name, { parent, kind: 'server' });

function endServerSpan(span: Span | undefined, method: string, status: number): void {
  span?.set({ 'http.request.method': method, 'http.response.status_code': status });
  span?.end(status >= 500 ? { code: String(status) } : undefined);
}
