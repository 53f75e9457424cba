import { AsyncLocalStorage } from 'node:async_hooks';

export { parseTraceparent, TRACEPARENT } from './traceparent.ts';

/**
 * Attributes of a span. They must never contain a name, an email or IP address, text that a person typed, a query or a
 * secret, because spans leave the system.
 */
export type Attributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** The `traceparent` of the causing span. Default: the caller's current span. */
  parent?: string | undefined;
  /** The `traceparent`s of other related spans. */
  links?: string[] | undefined;
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: Attributes;
}

/** A span in progress. It exists only if its trace is recorded. */
export interface Span {
  readonly traceId: string;
  /** The value to pass to the work that this span causes. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  link(traceparent: string): void;
  /** Ends the span. `error` marks it as failed; the error's code or name is recorded, not its message. */
  end(error?: unknown): void;
}

/** A span that another program, the browser, measured. */
export interface Measured {
  name: string;
  /** The `traceparent` of the span itself. */
  traceparent: string;
  /** In milliseconds since 1970. */
  start: number;
  end: number;
  hasFailed: boolean;
}

/** Records spans (`start.ts`). */
export interface Tracer {
  /** The fraction of traces that are recorded. */
  readonly ratio: number;
  /** Starts a span. Without `parent` it begins a new trace; undefined if that trace is not sampled. */
  start(name: string, options: SpanOptions): Span | undefined;
  record(span: Measured): void;
}

let tracer: Tracer | undefined;
let active: AsyncLocalStorage<Span | undefined> | undefined;

/** Sets the tracer of this process; undefined stops recording. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
  active = next && (active ?? new AsyncLocalStorage());
}

/** The tracer of this process; undefined if spans are not recorded. */
export const currentTracer = (): Tracer | undefined => tracer;

/** True if this process records spans. */
export const isTracing = (): boolean => tracer !== undefined;

/** The caller's current span, if it is recorded. */
export const currentSpan = (): Span | undefined => active?.getStore();

/** Starts a child span of `parent`, or of the caller's current span. undefined if the trace is not recorded. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  if (tracer === undefined) return undefined;
  const parent = options.parent ?? currentSpan()?.traceparent;
  return parent === undefined ? undefined : tracer.start(name, { ...options, parent });
}

/** Runs `work`, and everything that it awaits, in the span. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T =>
  span === undefined || active === undefined ? work() : active.run(span, work);

/** Runs `work` outside any span. For work that outlives its caller or serves several callers. */
export const outsideSpans = <T>(work: () => T): T => (active === undefined ? work() : active.run(undefined, work));

/** Runs `work` in a new span and returns or rejects like `work`. */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, options);
  if (span === undefined) return work();
  try {
    const result = await inSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
