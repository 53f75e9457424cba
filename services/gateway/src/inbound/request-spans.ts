import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentTracer, parseTraceparent, TRACEPARENT, type Measured, type Span } from '@beltway/tracing';
import type { RouteTable } from '../routes/table.ts';
import { pathOf } from './target.ts';

/**
 * A client may request that its trace is recorded. Such requests are accepted up to the sampling ratio of all requests
 * plus this burst. A client that always requests it uses up the budget of other clients, but does not raise the total.
 */
const MOST_AHEAD = 20;
/**
 * How many more browser reports are accepted than requests were recorded here: another gateway may have recorded those
 * requests.
 */
const MOST_REPORTS_AHEAD = 20;

/** The traces of requests; each trace begins here or in a browser. Undefined while no spans are recorded. */
export interface RequestSpans {
  /** The sampling ratio of traces. */
  ratio: number;
  /** Begins the span of a request, if its trace is recorded. The span ends with the answer. */
  begin(req: IncomingMessage, res: ServerResponse): void;
  of(req: IncomingMessage): Span | undefined;
  /** Records a browser's measurement. Drops reports in excess of the recorded traces. */
  report(span: Measured): void;
}

/** Returns undefined when no traces are recorded. */
export function requestSpans(table: RouteTable, tracer = currentTracer()): RequestSpans | undefined {
  if (tracer === undefined) return undefined;
  const { ratio } = tracer;
  const spans = new WeakMap<IncomingMessage, Span>();
  let earned = ratio > 0 ? MOST_AHEAD : 0;
  let reports = MOST_REPORTS_AHEAD;

  /** Starts a span. Without a `traceparent` from the client, sampling is random at the ratio. */
  function start(req: IncomingMessage, name: string): Span | undefined {
    earned = Math.min(MOST_AHEAD, earned + ratio);
    const given = String(req.headers[TRACEPARENT] ?? '');
    const client = parseTraceparent(given);
    if (client === undefined) return tracer!.start(name, { kind: 'server' });
    if (!client.isSampled || earned < 1) return undefined;
    earned -= 1;
    reports = Math.min(MOST_REPORTS_AHEAD, reports + 1);
    return tracer!.start(name, { kind: 'server', parent: given });
  }

  return {
    ratio,
    begin(req, res) {
      const { method = '', url = '' } = req;
      const route = table.find(method, pathOf(url));
      // Requests that the gateway itself answers are not traced.
      if (!route || route.service === 'gateway') return;
      // The span is named after the route pattern, because the path itself may contain ids and the query may contain
      // secrets.
      const span = start(req, `${method} ${route.path}`);
      if (!span) return;
      spans.set(req, span);
      res.once('close', () => {
        const { statusCode, writableFinished } = res;
        span.set({
          'http.request.method': method,
          'http.route': route.path,
          'http.response.status_code': statusCode,
        });
        if (!writableFinished) return span.end({ code: 'client-left' });
        span.end(statusCode >= 500 ? { code: String(statusCode) } : undefined);
      });
    },
    of: (req) => spans.get(req),
    report(span) {
      if (reports < 1) return;
      reports -= 1;
      tracer.record(span);
    },
  };
}
