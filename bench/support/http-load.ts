import { openConnection, type Answer } from './connection.ts';
import { percentile } from './statistics.ts';

export interface HttpLoad {
  port: number;
  connections: number;
  /** Maximum duration. */
  seconds: number;
  /** Checked before each request: true ends the load early. */
  isOver?: () => boolean;
  /** The next request; undefined: none is left. */
  next: () => string | Buffer | undefined;
  /** Called with each answer; only answers for which it returns true count in the figures. */
  counts?: (answer: Answer, request: string | Buffer) => boolean;
}

export interface HttpFigures {
  /** Number of answers by status; `0` for broken connections. */
  statuses: Record<number, number>;
  /** Number, rate (from first to last) and latency of the responses for which `counts` returned true. */
  counted: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Opens `connections` connections. Each connection sends its next request after the response to the previous request (a
 * closed loop).
 */
export async function httpLoad({ port, connections, seconds, isOver, next, counts }: HttpLoad): Promise<HttpFigures> {
  const statuses: Record<number, number> = {};
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1_000;
  let last = start;

  const one = async () => {
    const connection = openConnection(port);
    try {
      for (let now = performance.now(); now < end && !isOver?.();) {
        const request = next();
        if (request === undefined) return;
        const answer = await connection.send(request).catch(() => undefined);
        const from = now;
        now = performance.now();
        const status = answer?.status ?? 0;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (!answer || (counts && !counts(answer, request))) continue;
        latencies.push(now - from);
        last = now;
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return {
    statuses,
    counted: latencies.length,
    perSecond: latencies.length / ((last - start) / 1_000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}
