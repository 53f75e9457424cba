import { useTracer } from './tracing.ts';

export interface TracingSettings {
  /** Where the collector takes OTLP by HTTP, without `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  /** `name=value`, separated by commas. */
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  /** The share of traces that is recorded. */
  OTEL_TRACES_SAMPLER_ARG?: number | undefined;
}

/**
 * Records spans and sends them to the collector that is configured. Where none is, nothing of OpenTelemetry is loaded. Gives
 * what sends the rest and ends it. Nothing ever waits for the collector; spans that it does not take in time are lost, and `warn` is told.
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
