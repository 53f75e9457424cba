import type { Request, RequestHandler } from 'express';
import { inSpan, startSpan, TRACEPARENT, type Span } from '@beltway/tracing';
import type { Logger } from '../observe/logger.ts';
import { observeRequest, UNMATCHED } from '../observe/metrics.ts';
import { requestLog } from './request-log.ts';

export interface RecordedRequest {
  requestId: string;
  method: string;
  /** The pattern of its path: ids and words that visitors typed may be in the path itself. */
  route: string;
  status: number;
  /** By `performance.now()`. */
  startedAt: number;
  span: Span | undefined;
}

export type RequestRecorder = (request: RecordedRequest) => void;

/** Counts each answered request, and writes its log line within its span. Probes have no line. */
export function requestRecorder(log: Logger): RequestRecorder {
  const line = requestLog(log);
  return ({ requestId, method, route, status, startedAt, span }) => {
    const ms = performance.now() - startedAt;
    observeRequest({ method, route, status, seconds: ms / 1_000 });
    if (route.startsWith('/health')) return;
    inSpan(span, () => line({ requestId, method, route, status, ms: Math.round(ms) }));
  };
}

/** Answers a request that arrived with others in one HTTP request, with a span, a count and a log line of its own. */
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

/** The pattern by which a request found its handler, `/api/events/:id`; no router of ours is mounted below a pattern. */
export const routeOf = ({ route }: Request): string => {
  const path = (route as { path?: unknown } | undefined)?.path;
  return path === undefined ? UNMATCHED : String(path);
};

/** The span of the request that this answers, if its trace is recorded. */
export const spanOf = (res: { locals: Record<string, unknown> }): Span | undefined =>
  res.locals['span'] as Span | undefined;

/**
 * A span for each request whose caller marks its trace as recorded, named by its route. Callers are the gateway and our own
 * services: the gateway checks what a browser sends.
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
