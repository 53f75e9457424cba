import type { Client } from 'pg';
import type { Answer } from '../support/connection.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { httpLoad } from '../support/http-load.ts';
import { holdRequests } from './holds.ts';

export interface Round {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Server CPU seconds per thousand holds, including the refusals of the same round. */
  cpu: number;
  /** 409 answers a second after the last ticket was sold. */
  refusals: number;
  wrong: string[];
}

export interface Side {
  port: number;
  /** Processes whose CPU time counts, each with all its descendants. */
  pids: number[];
  database: Pick<Client, 'query'>;
  /** Opens a sale of this many tickets; returns the event's id. */
  open(capacity: number): Promise<number>;
  check(eventId: number, capacity: number, promised: string[]): Promise<string[]>;
}

const ORDER = /"orderId":"([0-9a-f-]{36})"/;

/** Maximum duration of a sale. A longer sale is a failure. */
const MAX_SECONDS = 90;

/**
 * Runs one sale from its first ticket until `beyond` seconds after its last ticket. Any status other than 201 and 409
 * is an error.
 */
export async function sellOut(
  { port, pids, open, check }: Side,
  {
    tokens,
    capacity,
    connections,
    beyond,
  }: { tokens: string[]; capacity: number; connections: number; beyond: number },
): Promise<Round> {
  const eventId = await open(capacity);
  const promised: string[] = [];
  let refused = 0;
  let soldOutAt = 0;
  const counts = ({ status, body }: Answer): boolean => {
    if (status === 409) {
      refused++;
      soldOutAt ||= performance.now();
    }
    if (status !== 201) return false;
    promised.push(ORDER.exec(body.toString('latin1'))?.[1] ?? 'none');
    return true;
  };
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const before = cpu();
  const figures = await httpLoad({
    port,
    connections,
    seconds: MAX_SECONDS,
    isOver: () => soldOutAt > 0 && performance.now() > soldOutAt + beyond * 1_000,
    next: holdRequests(tokens, eventId),
    counts,
  });
  const used = cpu() - before;
  const wrong = await check(eventId, capacity, promised);
  for (const [status, count] of Object.entries(figures.statuses))
    if (status !== '201' && status !== '409') wrong.push(`event ${eventId}: ${count} answers ${status}`);
  if (promised.length !== capacity)
    wrong.push(`event ${eventId}: ${promised.length} of ${capacity} tickets were promised`);
  return {
    perSecond: figures.perSecond,
    p50Ms: figures.p50Ms,
    p99Ms: figures.p99Ms,
    cpu: (used / promised.length) * 1_000,
    refusals: soldOutAt ? (refused / (performance.now() - soldOutAt)) * 1_000 : 0,
    wrong,
  };
}
