import { openConnection, type Answer } from './connection.ts';
import { percentile } from './statistics.ts';

export interface HttpLoad {
  port: number;
  connections: number;
  /** At most so long. */
  seconds: number;
  /** Asked before each request: true ends the load before its time. */
  isOver?: () => boolean;
  /** The next request; undefined: no more are to be sent. */
  next: () => string | Buffer | undefined;
  /** Called with each answer; only what it answers true to is counted in the figures. */
  counts?: (answer: Answer, request: string | Buffer) => boolean;
}

export interface HttpFigures {
  /** How often each status was answered; `0` for connections that broke. */
  statuses: Record<number, number>;
  /** Of the answers that count: how many a second from the first to the last of them, and how long they took. */
  counted: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** So many connections, each sending its next request when it has its answer (a closed loop). */
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
