import { setTimeout as pause } from 'node:timers/promises';
import { openConnection, type Connection } from './connection.ts';
import { percentile } from './statistics.ts';

export interface PacedLoad {
  port: number;
  perSecond: number;
  seconds: number;
  /** Maximum concurrent requests. */
  connections: number;
  next: () => string;
  /** Polled: true ends the load early. */
  isOver?: () => boolean;
}

export interface PacedFigures {
  /** Number of answers by status; `0` for broken connections. */
  statuses: Record<number, number>;
  p50Ms: number;
  p99Ms: number;
}

const TICK_MS = 5;

/**
 * Sends requests at a fixed rate, however slow the responses are (an open loop). Latency is measured from a request's
 * due time, because a request without a free connection also waits for the server.
 */
export async function pacedLoad({
  port,
  perSecond,
  seconds,
  connections,
  next,
  isOver,
}: PacedLoad): Promise<PacedFigures> {
  const free: Connection[] = Array.from({ length: connections }, () => openConnection(port));
  const all = [...free];
  const due: number[] = [];
  const statuses: Record<number, number> = {};
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1_000;
  let planned = 0;
  let open = 0;

  const pump = () => {
    while (due.length > 0 && free.length > 0) {
      const connection = free.pop()!;
      const from = due.shift()!;
      open++;
      void connection
        .send(next())
        .then(
          ({ status }) => status,
          () => 0,
        )
        .then((status) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          latencies.push(performance.now() - from);
          open--;
          free.push(connection);
          pump();
        });
    }
  };
  try {
    for (let now = performance.now(); now < end && !isOver?.(); now = performance.now()) {
      for (; planned < ((now - start) / 1_000) * perSecond; planned++) due.push(start + (planned * 1_000) / perSecond);
      // If the server stops answering, drops the oldest requests so that the backlog does not fill the memory.
      if (due.length > perSecond * 5) due.splice(0, due.length - perSecond * 5);
      pump();
      await pause(TICK_MS);
    }
    const giveUp = performance.now() + 10_000;
    while ((open > 0 || due.length > 0) && performance.now() < giveUp) await pause(TICK_MS);
  } finally {
    all.forEach((connection) => connection.close());
  }
  return { statuses, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
}
