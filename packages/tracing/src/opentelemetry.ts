import http from 'node:http';
import https from 'node:https';
import { hostname } from 'node:os';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as ApiSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { parseTraceparent, type TraceContext } from './traceparent.ts';
import type { Measured, Span, SpanOptions, Tracer } from './tracing.ts';

export interface TracerOptions {
  service: string;
  endpoint: string;
  headers?: string | undefined;
  ratio?: number | undefined;
  warn: (fields: object, text: string) => void;
  /** Maximum wait of a span before it is sent. Default 2 s. */
  delayMs?: number;
  /** Time limit of one request to the collector. Default 5 s. */
  timeoutMs?: number;
}

/** Finished spans that wait to be sent, about a kilobyte each; further ones are lost. */
const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
/** Requests to the collector under way: each holds a batch. Several only at the end, when all that waits is sent at once. */
const MAX_REQUESTS = 5;
const WARN_EVERY_MS = 60_000;
const LIMITS = { attributeCountLimit: 32, attributeValueLengthLimit: 200, linkCountLimit: 128, eventCountLimit: 0 };

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

const spanContext = ({ traceId, spanId }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

const linkTo = (traceparent: string): { context: SpanContext } | undefined => {
  const parsed = parseTraceparent(traceparent);
  return parsed && { context: spanContext(parsed) };
};

/** What may be told of an error: its message may quote what a person typed. */
function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? typeof error);
}

class RecordedSpan implements Span {
  readonly #span: ApiSpan;
  readonly traceId: string;
  readonly traceparent: string;

  constructor(span: ApiSpan) {
    const { traceId, spanId } = span.spanContext();
    this.#span = span;
    this.traceId = traceId;
    this.traceparent = `00-${traceId}-${spanId}-01`;
  }
  rename(name: string): void {
    this.#span.updateName(name);
  }
  set(attributes: Record<string, string | number | boolean>): void {
    this.#span.setAttributes(attributes);
  }
  link(traceparent: string): void {
    const link = linkTo(traceparent);
    if (link) this.#span.addLink(link);
  }
  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setAttribute('error.type', kindOf(error));
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

interface Watching {
  warn: TracerOptions['warn'];
  /** An export without a result after this time counts as lost. */
  deadlineMs: number;
  /** Ends the requests under way. */
  cut: () => void;
}

/**
 * Tells of lost spans once a minute: a collector that is away for a day must not fill the log. Ends exports that take too long: the
 * exporter's own bound is for a silent connection, and one whose answer never ends would keep its place, and the end of the process.
 */
function watched(exporter: SpanExporter, { warn, deadlineMs, cut }: Watching): SpanExporter {
  let lost = 0;
  let quietUntil = 0;
  return {
    export: (spans, done) => {
      let isDone = false;
      const end = (result: ExportResult): void => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        if (result.code !== ExportResultCode.SUCCESS) lost += spans.length;
        if (lost > 0 && performance.now() >= quietUntil) {
          quietUntil = performance.now() + WARN_EVERY_MS;
          warn({ lost, cause: kindOf(result.error) }, 'traces: the collector does not take spans');
          lost = 0;
        }
        done(result);
      };
      const timer = setTimeout(() => {
        end({ code: ExportResultCode.FAILED, error: new DOMException('no end of the answer', 'TimeoutError') });
        cut();
      }, deadlineMs);
      exporter.export(spans, end);
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** `name=value`, separated by commas, each encoded as in a URL (OpenTelemetry Protocol Exporter, OTEL_EXPORTER_OTLP_HEADERS). */
function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s, 2).map((part) => decodeURIComponent(part.trim())));
  return Object.fromEntries(pairs.filter(([name, value]) => name && value !== undefined));
}

/** Gives spans of other programs the ids that those gave them. */
class GivenIds extends RandomIdGenerator {
  given: TraceContext | undefined;
  override generateTraceId = () => this.given!.traceId;
  override generateSpanId = () => this.given!.spanId;
}

/** Records by OpenTelemetry's SDK, with a bound on all that it keeps. */
export function openTracer(options: TracerOptions): { tracer: Tracer; stop(): Promise<void> } {
  const { service, endpoint, headers, ratio = 0.05, warn, delayMs = 2_000, timeoutMs = 5_000 } = options;
  const agent = new (endpoint.startsWith('https:') ? https : http).Agent({ keepAlive: true });
  const exporter = new OTLPTraceExporter({
    httpAgentOptions: () => agent,
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: headersOf(headers),
    timeoutMillis: timeoutMs,
    concurrencyLimit: MAX_REQUESTS,
  });
  const processor = new BatchSpanProcessor({
    exporter: watched(exporter, { warn, deadlineMs: 2 * timeoutMs, cut: () => agent.destroy() }),
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: delayMs,
    // The bound of `watched` comes first.
    exportTimeoutMillis: 3 * timeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'beltway',
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: LIMITS,
    spanProcessors: [processor],
  });
  const ids = new GivenIds();
  const browsers = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'browser', 'service.namespace': 'beltway' }),
    sampler: new AlwaysOnSampler(),
    spanLimits: LIMITS,
    spanProcessors: [processor],
    idGenerator: ids,
  }).getTracer('beltway');
  const tracer = provider.getTracer('beltway');

  function start(name: string, { parent, links, kind, attributes }: SpanOptions): Span | undefined {
    let context: Context = ROOT_CONTEXT;
    if (parent !== undefined) {
      const parsed = parseTraceparent(parent);
      if (!parsed?.isSampled) return undefined;
      context = trace.setSpanContext(ROOT_CONTEXT, spanContext(parsed));
    }
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind ?? 'internal'],
        ...(attributes && { attributes }),
        ...(links && { links: links.map(linkTo).filter((link) => link !== undefined) }),
      },
      context,
    );
    return span.isRecording() ? new RecordedSpan(span) : undefined;
  }

  function record({ name, traceparent, start: startTime, end, hasFailed }: Measured): void {
    ids.given = parseTraceparent(traceparent);
    if (!ids.given) return;
    const span = browsers.startSpan(name, { kind: SpanKind.CLIENT, startTime }, ROOT_CONTEXT);
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  return { tracer: { ratio, start, record }, stop: () => provider.shutdown() };
}
