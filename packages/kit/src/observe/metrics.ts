import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { runtime } from '../service/runtime.ts';

/**
 * How often the event loop is looked at, in ms, and so the least delay that is measured: the default of 10 wakes an idle process a
 * hundred times a second.
 */
const LOOK_MS = 50;
/** Of this service alone. */
export const registry = new Registry();
const registers = [registry];
if (runtime.isOwn) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_MS });

type Labels = Record<string, string>;

/** `known`: label values that are known beforehand. They start at 0, for Prometheus sees no rise in a series that begins with 1. */
export function counter(name: string, help: string, labelNames: string[] = [], known: Labels[] = []): Counter<string> {
  const made =
    (registry.getSingleMetric(name) as Counter<string> | undefined) ??
    new Counter({ name, help, labelNames, registers });
  for (const labels of known) made.inc(labels, 0);
  return made;
}

/** Upper bounds of `buckets` in the unit that the name ends with. */
export const histogram = (name: string, help: string, labelNames: string[], buckets: number[]): Histogram<string> =>
  (registry.getSingleMetric(name) as Histogram<string> | undefined) ??
  new Histogram({ name, help, labelNames, buckets, registers });

/** A gauge that is set when its value changes; `gauges` for values that are looked up when somebody scrapes. */
export const gauge = (name: string, help: string, labelNames: string[] = []): Gauge<string> =>
  (registry.getSingleMetric(name) as Gauge<string> | undefined) ?? new Gauge({ name, help, labelNames, registers });

export interface Sample<Name extends string> {
  labels?: Labels;
  values: Record<Name, number>;
}
type Measure<Name extends string> = () => Sample<Name>[] | Promise<Sample<Name>[]>;

/** Whoever scrapes waits for all metrics, and gives up after some ten seconds. */
const MEASURE_MS = 2_000;

const measures = new Map<string, Measure<string>>();

/**
 * Gauges of these names, each with its help, that one `measure` tells when somebody scrapes: it costs nothing while nobody
 * does. When it fails or takes longer than two seconds, these gauges have no value in that answer; all others have theirs.
 * Of several measures for the same names the last one counts. Gives what ends it.
 */
export function gauges<Name extends string>(
  help: Record<Name, string>,
  labelNames: string[],
  measure: Measure<Name>,
): () => void {
  const names = Object.keys(help) as Name[];
  const key = names.join();
  const isNew = !measures.has(key);
  measures.set(key, measure);
  const end = () => void (measures.get(key) === measure && measures.set(key, () => []));
  if (!isNew) return end;

  let underWay: Promise<Sample<string>[]> | undefined;
  // The gauges of one scrape are asked in the same turn, and share one look.
  const look = () =>
    (underWay ??= withinTime(measures.get(key)!).finally(() => {
      underWay = undefined;
    }));
  for (const name of names)
    new Gauge({
      name,
      help: help[name],
      labelNames,
      registers,
      async collect() {
        const samples = await look();
        this.reset();
        // Else a gauge without labels would say 0 where nothing is known.
        if (labelNames.length === 0) this.remove();
        for (const { labels = {}, values } of samples) this.set(labels, values[name]!);
      },
    });
  return end;
}

async function withinTime(measure: Measure<string>): Promise<Sample<string>[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Sample<string>[]>((resolve) => {
    timer = setTimeout(() => resolve([]), MEASURE_MS);
  });
  const measured = Promise.resolve()
    .then(measure)
    .catch(() => []);
  return Promise.race([measured, tooLate]).finally(() => clearTimeout(timer));
}

/** Counted in numbers, and turned into labels when somebody scrapes: it is done for each request. */
const answered = new Map<string, { labels: Labels; count: number }>();
new Counter({
  name: 'http_requests_total',
  help: 'Requests that were answered',
  labelNames: ['method', 'route', 'status'],
  registers,
  collect() {
    this.reset();
    for (const { labels, count } of answered.values()) this.inc(labels, count);
  },
});
const durations = histogram(
  'http_request_duration_seconds',
  'Time from request to answer',
  ['method', 'route', 'status'],
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
);

/** In place of a route: no row of ours has this path. Paths of clients are never labels, for there are endlessly many. */
export const UNMATCHED = 'unmatched';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface AnsweredRequest {
  method: string;
  /** The pattern of its path, as `/api/events/:id`. */
  route: string;
  status: number;
  seconds: number;
}

/** Counts a request; its time goes by the class of its status (`2xx`). */
export function observeRequest({ method: asked, route, status, seconds }: AnsweredRequest): void {
  const method = METHODS.has(asked) ? asked : 'other';
  const key = `${method} ${status} ${route}`;
  const known = answered.get(key);
  if (known) known.count++;
  else answered.set(key, { labels: { method, route, status: String(status) }, count: 1 });
  durations.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
}

/** All metrics of this process in Prometheus' text format. */
export const metricsText = (): Promise<string> => registry.metrics();
export const METRICS_TYPE = registry.contentType;

export interface MetricDescription {
  name: string;
  help: string;
  type: string;
  labels: string[];
}

/** What `metricsText` has, without its values, in the order in which it was made. */
export const describeMetrics = (): MetricDescription[] =>
  (registry.getMetricsAsArray() as unknown as Array<{ name: string; help: string; labelNames: string[] }>).map(
    ({ name, help, labelNames, constructor }) => ({
      name,
      help,
      type: constructor.name.toLowerCase(),
      labels: [...labelNames],
    }),
  );
