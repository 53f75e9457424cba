import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  parseTraceparent,
  type Attributes,
  type Measured,
  type Span,
  type SpanOptions,
  type Tracer,
} from './tracing.ts';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  links: Array<{ traceId: string; spanId: string }>;
  hasFailed: boolean;
}

export interface TestCollector {
  url: string;
  spans: ReceivedSpan[];
  /** Bodies of the requests, unparsed. */
  bodies: string[];
  /** Number of requests that have no response yet. */
  open(): number;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Body {
  resourceSpans: Array<{
    resource: { attributes: Attribute[] };
    scopeSpans: Array<{
      spans: Array<{
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: Attribute[];
        links?: Array<{ traceId: string; spanId: string }>;
        status?: { code?: number };
      }>;
    }>;
  }>;
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function spansOf({ resourceSpans }: Body): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', attributes, links = [], status }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        ...{ name, traceId, spanId, parentSpanId },
        attributes: valuesOf(attributes),
        links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        hasFailed: status?.code === 2,
      })),
    ),
  );
}

const accept = (res: ServerResponse): void => void res.setHeader('content-type', 'application/json').end('{}');

/** A collector of traces (OTLP/HTTP, JSON) on a free port. `answer` replaces its default response. */
export async function testCollector(answer: (res: ServerResponse) => void = accept): Promise<TestCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let open = 0;
  const handler: RequestListener = (req, res) => {
    const chunks: Buffer[] = [];
    open++;
    res.once('close', () => open--);
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      bodies.push(body);
      if (req.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as Body));
      answer(res);
    });
  };
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A span recorded by `memoryTracer`. */
export interface KeptSpan extends Span {
  name: string;
  options: SpanOptions;
  attributes: Attributes;
  hasEnded: boolean;
  error: unknown;
}

/** A tracer that keeps spans in memory. `ratio`: the fraction of new traces that are recorded. */
export function memoryTracer(ratio = 1): { tracer: Tracer; spans: KeptSpan[]; measured: Measured[] } {
  const spans: KeptSpan[] = [];
  const measured: Measured[] = [];
  const start: Tracer['start'] = (name, options) => {
    const parent = parseTraceparent(options.parent);
    if (options.parent === undefined ? ratio === 0 : !parent?.isSampled) return undefined;
    const number = (spans.length + 1).toString(16);
    const traceId = parent?.traceId ?? number.padStart(32, '0');
    const span: KeptSpan = {
      name,
      options,
      traceId,
      traceparent: `00-${traceId}-${number.padStart(16, '0')}-01`,
      attributes: { ...options.attributes },
      hasEnded: false,
      error: undefined,
      rename: (next) => void (span.name = next),
      set: (attributes) => void Object.assign(span.attributes, attributes),
      link: () => undefined,
      end: (error) => void Object.assign(span, { hasEnded: true, error }),
    };
    spans.push(span);
    return span;
  };
  return { tracer: { ratio, start, record: (span) => void measured.push(span) }, spans, measured };
}
