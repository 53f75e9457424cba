import { useTracer } from './tracing.ts';

export interface TracingSettings {
  /** The collector's OTLP/HTTP URL, without `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  /** `name=value`, separated by commas. */
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  /** The fraction of traces that are recorded. */
  OTEL_TRACES_SAMPLER_ARG?: number | undefined;
}

/**
 * Records spans and sends them to the configured collector. If none is configured, OpenTelemetry is not loaded. Returns
 * a function that sends the remaining spans and stops tracing. Work never waits for the collector. Spans that the
 * collector does not accept in time are dropped, and `warn` is called.
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  warn: (fields: object, text: string) => void,
): Promise<(() => Promise<void>) | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (endpoint === undefined) return undefined;
  const { openTracer } = await import('./opentelemetry.ts');
  const { tracer, stop } = openTracer({ service, endpoint, headers, ratio: settings.OTEL_TRACES_SAMPLER_ARG, warn });
  useTracer(tracer);
  return async () => {
    useTracer(undefined);
    await stop();
  };
}
