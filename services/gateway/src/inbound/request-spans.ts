import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentTracer, parseTraceparent, TRACEPARENT, type Measured, type Span } from '@beltway/tracing';
import type { RouteTable } from '../routes/table.ts';
import { pathOf } from './target.ts';

/**
 * A client may say of its trace that it is recorded. It then is, as long as such traces are no more than their share of all requests and this
 * many: who says so of each request takes from other clients, and adds nothing.
 */
const MOST_AHEAD = 20;
/** Reports of browsers beyond the requests that they are about: they may have come to another gateway. */
const MOST_REPORTS_AHEAD = 20;

/** The traces of requests: each begins here or in a browser. There is one only while spans are recorded. */
export interface RequestSpans {
  /** Of all traces the share that is recorded. */
  ratio: number;
  /** Begins the span of a request, if its trace is recorded; it ends with the answer. */
  begin(req: IncomingMessage, res: ServerResponse): void;
  of(req: IncomingMessage): Span | undefined;
  /** Records what a browser measured; more than can be of recorded traces is dropped. */
  report(span: Measured): void;
}

/** Undefined where nothing is recorded. */
export function requestSpans(table: RouteTable, tracer = currentTracer()): RequestSpans | undefined {
  if (tracer === undefined) return undefined;
  const { ratio } = tracer;
  const spans = new WeakMap<IncomingMessage, Span>();
  let earned = ratio > 0 ? MOST_AHEAD : 0;
  let reports = MOST_REPORTS_AHEAD;

  /** Without a `traceparent` of the client's chance decides, at the ratio. */
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
      // What the gateway answers itself tells nothing.
      if (!route || route.service === 'gateway') return;
      // By the pattern: in the path itself ids may stand, and after it secrets.
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
