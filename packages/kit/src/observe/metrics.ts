import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { runtime } from '../service/runtime.ts';

/**
 * Sampling interval of the event loop in ms, and thus the smallest measurable delay. The default of 10 would wake an
 * idle process a hundred times a second.
 */
const LOOK_MS = 50;
/** Contains only this service's metrics. */
export const registry = new Registry();
const registers = [registry];
if (runtime.isOwn) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_MS });

type Labels = Record<string, string>;

/**
 * Creates a counter. `known`: label values known in advance. Their series start at 0, because Prometheus sees no
 * increase in a series that begins with 1.
 */
export function counter(name: string, help: string, labelNames: string[] = [], known: Labels[] = []): Counter<string> {
  const made =
    (registry.getSingleMetric(name) as Counter<string> | undefined) ??
    new Counter({ name, help, labelNames, registers });
  for (const labels of known) made.inc(labels, 0);
  return made;
}

/**
 * A counter with one label of known values. Its values are plain numbers, which callers increment with `++` and a
 * scrape reads.
 */
export function cheapCounter<Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Record<Value, number> {
  const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>;
  const made = new Counter({
    name,
    help,
    labelNames: [label],
    registers,
    collect() {
      made.reset();
      for (const value of values) made.inc({ [label]: value }, counts[value]);
    },
  });
  return counts;
}

/** `buckets`: upper bounds, in the unit at the end of the name. */
export const histogram = (name: string, help: string, labelNames: string[], buckets: number[]): Histogram<string> =>
  (registry.getSingleMetric(name) as Histogram<string> | undefined) ??
  new Histogram({ name, help, labelNames, buckets, registers });

/** A gauge that is set when its value changes; use `gauges` for values that are read at each scrape. */
export const gauge = (name: string, help: string, labelNames: string[] = []): Gauge<string> =>
  (registry.getSingleMetric(name) as Gauge<string> | undefined) ?? new Gauge({ name, help, labelNames, registers });

export interface Sample<Name extends string> {
  labels?: Labels;
  values: Record<Name, number>;
}
type Measure<Name extends string> = () => Sample<Name>[] | Promise<Sample<Name>[]>;

/** Time limit of a measurement. A scrape waits for all metrics and times out after about ten seconds. */
const MEASURE_MS = 2_000;

const measures = new Map<string, Measure<string>>();

/**
 * Gauges, keyed by name, each with its help text. One call of `measure` per scrape provides their values, so the gauges
 * cost nothing between scrapes. If `measure` fails or takes over two seconds, only these gauges have no value. A later
 * call with the same names replaces the measure. Returns a function that stops the export.
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
  // All gauges of one scrape are collected in the same turn, so they share one measurement.
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
        // Otherwise a gauge without labels would export 0 for an unknown value.
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

/** Upper bounds of the durations of requests, in seconds. */
const DURATIONS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Counts requests with one method, route and status. It uses plain numbers, because every request is counted here; a
 * scrape creates the series from them.
 */
export class RequestCell {
  readonly labels: Readonly<{ method: string; route: string; status: string }>;
  /** Counts by `DURATIONS`; the last entry counts longer durations. */
  readonly buckets = DURATIONS.map(() => 0).concat(0);
  seconds = 0;
  constructor(method: string, route: string, status: number) {
    this.labels = { method, route, status: String(status) };
  }
  count(seconds: number): void {
    let at = 0;
    while (at < DURATIONS.length && seconds > DURATIONS[at]!) at++;
    this.buckets[at]!++;
    this.seconds += seconds;
  }
}
const cells = new Map<string, RequestCell>();

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

new Counter({
  name: 'http_requests_total',
  help: 'Requests that were answered',
  labelNames: ['method', 'route', 'status'],
  registers,
  collect() {
    this.reset();
    for (const { labels, buckets } of cells.values()) this.inc(labels, total(buckets));
  },
});

/** The series of the histogram: one for each method, route and class of status (`2xx`). */
function durationSeries(name: string) {
  const classOf = ({ labels }: RequestCell) => `${labels.status[0]}xx`;
  const groups = Map.groupBy(cells.values(), (cell) => `${cell.labels.method} ${cell.labels.route} ${classOf(cell)}`);
  return [...groups.values()].flatMap((group) => {
    const labels = { ...group[0]!.labels, status: classOf(group[0]!) };
    const upTo = (at: number) => total(group.map(({ buckets }) => total(buckets.slice(0, at))));
    const buckets = [...DURATIONS, '+Inf'].map((le, at) => ({
      metricName: `${name}_bucket`,
      labels: { le, ...labels },
      value: upTo(at + 1),
    }));
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: total(group.map(({ seconds }) => seconds)) },
      { metricName: `${name}_count`, labels, value: upTo(DURATIONS.length + 1) },
    ];
  });
}
const durations = {
  name: 'http_request_duration_seconds',
  help: 'Time from request to answer',
  type: 'histogram',
  labelNames: ['method', 'route', 'status'],
  get() {
    const { name, help, type } = this;
    return Promise.resolve({ name, help, type, values: durationSeries(name), aggregator: 'sum' });
  },
  reset: () => cells.clear(),
};
// The registry uses only these methods of a metric.
registry.registerMetric(durations as unknown as Histogram);

/**
 * The route label of a path that matches no route. Paths of clients are never labels, because their number is
 * unlimited.
 */
export const UNMATCHED = 'unmatched';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface AnsweredRequest {
  method: string;
  /** The route pattern, such as `/api/events/:id`. */
  route: string;
  status: number;
  seconds: number;
}

/** The cell that counts requests with this method, route and status. Code that handles many requests keeps the cell. */
export function requestCell({ method: asked, route, status }: Omit<AnsweredRequest, 'seconds'>): RequestCell {
  const method = METHODS.has(asked) ? asked : 'other';
  const key = `${method} ${status} ${route}`;
  let cell = cells.get(key);
  if (!cell) cells.set(key, (cell = new RequestCell(method, route, status)));
  return cell;
}

export const observeRequest = ({ seconds, ...request }: AnsweredRequest): void => requestCell(request).count(seconds);

/** All metrics of this process in Prometheus's text format. */
export const metricsText = (): Promise<string> => registry.metrics();
export const METRICS_TYPE = registry.contentType;

export interface MetricDescription {
  name: string;
  help: string;
  type: string;
  labels: string[];
}

type Described = Omit<MetricDescription, 'type' | 'labels'> & { type?: string; labelNames: string[] };

/** Descriptions of the metrics without values, in order of creation. */
export const describeMetrics = (): MetricDescription[] =>
  (registry.getMetricsAsArray() as unknown as Described[]).map(({ name, help, type, labelNames, constructor }) => ({
    name,
    help,
    type: type ?? constructor.name.toLowerCase(),
    labels: [...labelNames],
  }));
