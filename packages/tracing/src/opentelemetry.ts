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
  /** Maximum time before a span is sent, in ms. Default 2 s. */
  delayMs?: number;
  /** Time limit of one request to the collector, in ms. Default 5 s. */
  timeoutMs?: number;
}

/** Maximum number of finished spans in the queue, at about 1 kB each. Further spans are dropped. */
const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
/**
 * Maximum number of concurrent requests to the collector, one batch each. Only a shutdown, which sends the whole queue,
 * uses several.
 */
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

/**
 * The part of an error that a span may contain. The error's message is omitted, because it may quote text that a person
 * typed.
 */
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
  /** An export that has no result after this time, in ms, counts as lost. */
  deadlineMs: number;
  /** Aborts the requests in flight. */
  cut: () => void;
}

/**
 * Warns about lost spans at most once a minute, so that a collector that is down for a day does not fill the log. Also
 * limits the time of each export: the exporter's own timeout covers only a silent connection, and a response that never
 * ends would occupy one of `MAX_REQUESTS` and block a shutdown.
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

/**
 * Parses `name=value`, separated by commas, URL-encoded (OpenTelemetry Protocol Exporter, OTEL_EXPORTER_OTLP_HEADERS).
 */
function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s, 2).map((part) => decodeURIComponent(part.trim())));
  return Object.fromEntries(pairs.filter(([name, value]) => name && value !== undefined));
}

/** Keeps the original ids of spans that other programs measured. */
class GivenIds extends RandomIdGenerator {
  given: TraceContext | undefined;
  override generateTraceId = () => this.given!.traceId;
  override generateSpanId = () => this.given!.spanId;
}

/** A tracer on OpenTelemetry's SDK, with bounded memory. */
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
    // Longer than the deadline in `watched`, which therefore takes effect first.
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
