import type { RequestHandler } from 'express';
import { Counter, Gauge, collectDefaultMetrics, register, type Metric, type MetricValueWithName } from 'prom-client';

collectDefaultMetrics();

const NAME = 'http_request_duration_seconds';
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Requests of one method and class of status. */
interface Times {
  /** How many fell into each bucket, and last how many took longer than all. */
  counts: number[];
  sum: number;
}
const times = new Map<string, Map<number, Times>>();

/** Counts a request that took so long, by its method and the class of its status. */
export function observeRequest(method: string, status: number, seconds: number): void {
  const hundreds = Math.floor(status / 100);
  let ofMethod = times.get(method);
  if (!ofMethod) times.set(method, (ofMethod = new Map()));
  let found = ofMethod.get(hundreds);
  if (!found) ofMethod.set(hundreds, (found = { counts: Array.from({ length: BUCKETS.length + 1 }, () => 0), sum: 0 }));
  let bucket = 0;
  while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
  found.counts[bucket]!++;
  found.sum += seconds;
}

/** The values of a histogram as Prometheus wants them: buckets that contain all smaller ones, sum and count. */
function* requestTimes(): Generator<MetricValueWithName<string>> {
  for (const [method, ofMethod] of times)
    for (const [hundreds, { counts, sum }] of ofMethod) {
      const labels = { method, status: `${hundreds}xx` };
      let sofar = 0;
      for (const [index, count] of counts.entries()) {
        sofar += count;
        yield { metricName: `${NAME}_bucket`, labels: { ...labels, le: BUCKETS[index] ?? '+Inf' }, value: sofar };
      }
      yield { metricName: `${NAME}_sum`, labels, value: sum };
      yield { metricName: `${NAME}_count`, labels, value: sofar };
    }
}

// Ours: prom-client's histogram makes a text of its labels for each request: a hundredth of the time of a hold under load.
register.registerMetric({
  name: NAME,
  get: () =>
    Promise.resolve({
      name: NAME,
      help: 'Time from request to answer',
      type: 'histogram',
      aggregator: 'sum',
      values: [...requestTimes()],
    }),
} as unknown as Metric);

export const httpMetrics: RequestHandler = (req, res, next) => {
  const started = performance.now();
  const { method } = req;
  res.on('finish', () => observeRequest(method, res.statusCode, (performance.now() - started) / 1_000));
  next();
};

/** `GET /metrics` in Prometheus' text format; not routed by the gateway. */
export const metricsRoute: RequestHandler = async (_req, res) => {
  res.type(register.contentType).send(await register.metrics());
};

export const counter = (name: string, help: string, labelNames: string[] = []): Counter<string> =>
  (register.getSingleMetric(name) as Counter<string> | undefined) ?? new Counter({ name, help, labelNames });

/** `collect` is asked before each answer to a scrape, and sets what it knows by `this`. */
export const gauge = (
  name: string,
  help: string,
  labelNames: string[] = [],
  collect?: (this: Gauge<string>) => void | Promise<void>,
): Gauge<string> =>
  (register.getSingleMetric(name) as Gauge<string> | undefined) ??
  new Gauge({ name, help, labelNames, ...(collect && { collect }) });
