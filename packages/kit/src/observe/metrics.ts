import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, collectDefaultMetrics, register } from 'prom-client';

collectDefaultMetrics();

const times = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from request to answer',
  labelNames: ['method', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Counts a request that took so long, by its method and the class of its status. */
export const observeRequest = (method: string, status: number, seconds: number): void =>
  times.observe({ method, status: `${Math.floor(status / 100)}xx` }, seconds);

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
