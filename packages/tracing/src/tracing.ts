import { AsyncLocalStorage } from 'node:async_hooks';

export { parseTraceparent, TRACEPARENT } from './traceparent.ts';

/** Never a name, an address, a text that a person typed, a query or a secret: what is recorded leaves the system. */
export type Attributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** The `traceparent` of the span that caused it. Default: the span that the caller runs in. */
  parent?: string | undefined;
  /** The `traceparent`s of spans that it is also about. */
  links?: string[] | undefined;
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: Attributes;
}

/** A piece of work of a trace, while it is under way. There is one only where it is recorded. */
export interface Span {
  readonly traceId: string;
  /** Names it to what it causes. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  link(traceparent: string): void;
  /** With `error` it failed; recorded is the error's code or name, and not its message. */
  end(error?: unknown): void;
}

/** A span that another program measured: the browser's. */
export interface Measured {
  name: string;
  /** Its own. */
  traceparent: string;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  hasFailed: boolean;
}

/** What records spans (`start.ts`). */
export interface Tracer {
  /** The share of traces that is recorded. */
  readonly ratio: number;
  /** Without `parent` a trace begins, if it is one of those that are recorded. */
  start(name: string, options: SpanOptions): Span | undefined;
  record(span: Measured): void;
}

let tracer: Tracer | undefined;
let active: AsyncLocalStorage<Span | undefined> | undefined;

/** From now on spans are recorded by this one; undefined: no more. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
  active = next && (active ?? new AsyncLocalStorage());
}

/** Undefined: nothing is recorded. */
export const currentTracer = (): Tracer | undefined => tracer;

/** Whether spans are recorded in this process at all. */
export const isTracing = (): boolean => tracer !== undefined;

/** The span that the caller runs in, if it is recorded. */
export const currentSpan = (): Span | undefined => active?.getStore();

/** A span of the trace of `parent`, or of the caller; undefined where that is not recorded. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  if (tracer === undefined) return undefined;
  const parent = options.parent ?? currentSpan()?.traceparent;
  return parent === undefined ? undefined : tracer.start(name, { ...options, parent });
}

/** Runs `work`, and all that it waits for, in the span. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T =>
  span === undefined || active === undefined ? work() : active.run(span, work);

/** Runs what goes on after its caller, and for others, in no span. */
export const outsideSpans = <T>(work: () => T): T => (active === undefined ? work() : active.run(undefined, work));

/** Runs `work` in a span of its own, and rejects with what it rejects with. */
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
