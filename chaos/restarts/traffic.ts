import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { wasCutOff } from '@beltway/kit/connection-faults';
import { random } from '../random.ts';
import type { ClientLedger } from '../load/client-ledger.ts';

export interface TrafficOptions {
  url: string;
  seed: string;
  perSecond: number;
  eventIds: number[];
  /** Tokens of members. */
  members: string[];
  /** A key issued by the server. The idempotency keys of guests' holds begin with this key. */
  guestKey: string;
  ledger: ClientLedger;
  /**
   * A response with Retry-After (503 or 429) is not a failure. A request that was cut off on a keep-alive connection is
   * sent once more, as browsers do: on a busy machine a client notices late that its connection was closed.
   */
  mayRefuse?: boolean;
}

export interface TrafficCounts {
  requests: number;
  failed: number;
  /** Number of responses with Retry-After. */
  refused: number;
  /** Number of requests that were not sent, because `MAX_OPEN` requests were open or this process was late. */
  unsent: number;
  /** Number of requests that were cut off on a keep-alive connection and sent once more. */
  repeated: number;
  slowestMs: number;
  /** Median and 99th percentile of the latency. */
  p50Ms: number;
  p99Ms: number;
  /** The slowest answer with Retry-After. */
  slowestRefusalMs: number;
  /**
   * Average delay that this process itself causes; all times above include such delays. `slowestOwnDelayMs` is the
   * maximum.
   */
  ownDelayMs: number;
  slowestOwnDelayMs: number;
}

export interface Traffic {
  counts(): TrafficCounts;
  /** Descriptions of failures: no response, or an unsuccessful response. */
  failures(): string[];
  stop(): Promise<void>;
}

const ANSWER_MS = 15_000;
/**
 * Maximum number of open requests. It is limited because a person who waits for a response sends no second request.
 * Requests that are due beyond the limit are counted as unsent.
 */
const MAX_OPEN = 1_000;
const TICK_MS = 20;
const MAX_LATE_MS = 200;
const OWN_RESOLUTION_MS = 10;

const KINDS = [
  [30, 'feed'],
  [30, 'event'],
  [20, 'availability'],
  [15, 'hold'],
  [5, 'my-tickets'],
] as const;

/**
 * Sends this many requests a second, as long as fewer than `MAX_OPEN` are open. Does not retry, so that each failure
 * counts.
 */
export function startTraffic(options: TrafficOptions): Traffic {
  const { url, seed, perSecond, eventIds, members, guestKey, ledger, mayRefuse = false } = options;
  const { weighed, pick, int } = random(`${seed}:traffic`);
  const under = new Set<Promise<void>>();
  const failures: string[] = [];
  let stopped = false;
  let due = 0;
  let refused = 0;
  let unsent = 0;
  let repeated = 0;
  let slowestRefusalMs = 0;
  const times: number[] = [];
  const ownDelays = monitorEventLoopDelay({ resolution: OWN_RESOLUTION_MS });
  ownDelays.enable();

  async function send(
    kind: (typeof KINDS)[number][1],
    eventId: number,
    token: string,
    n: number,
    quantity: number,
  ): Promise<void> {
    const key = `traffic-${n}`;
    const [method, path, body] =
      kind === 'feed'
        ? ['GET', '/api/events']
        : kind === 'event'
          ? ['GET', `/api/events/${eventId}`]
          : kind === 'availability'
            ? ['GET', `/api/events/${eventId}/availability`]
            : kind === 'my-tickets'
              ? ['GET', '/api/tickets/my-tickets']
              : ['POST', '/api/holds', JSON.stringify({ eventId, quantity })];
    const answered = kind === 'hold' ? ledger.ask({ call: 'hold', key, eventId, quantity, to: 'gateway' }) : undefined;
    const began = performance.now();
    let status = 0;
    let said: { orderId?: string } = {};
    try {
      const ask = () =>
        fetch(new URL(path!, url), {
          method: method!,
          headers: {
            ...(kind === 'my-tickets' && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': `${guestKey}.${key}` }),
          },
          ...(body !== undefined && { body }),
          signal: AbortSignal.timeout(ANSWER_MS),
        });
      const response = await ask().catch((error: Error & { cause?: { code?: string } }) => {
        if (!mayRefuse || !wasCutOff(error.cause?.code ?? '')) throw error;
        repeated++;
        return ask();
      });
      status = response.status;
      const text = await response.text();
      if (kind === 'hold' && status === 201) said = JSON.parse(text) as typeof said;
      if (mayRefuse && (status === 503 || status === 429) && Number(response.headers.get('retry-after')) > 0) {
        refused++;
        slowestRefusalMs = Math.max(slowestRefusalMs, performance.now() - began);
      } else if (status >= 300)
        failures.push(`${new Date().toISOString()} ${method} ${path} answered ${status} ${text.slice(0, 120)}`);
    } catch (error) {
      status = 0;
      const cause = (error as Error).cause as { code?: string; message?: string } | undefined;
      failures.push(
        `${new Date().toISOString()} ${method} ${path}: ${String(error)} (${cause?.code ?? cause?.message ?? 'no cause'})`,
      );
    }
    answered?.({ outcome: status === 201 ? 'acknowledged' : 'unknown', status, ...said });
    times.push(performance.now() - began);
  }

  async function run(): Promise<void> {
    const began = performance.now();
    while (!stopped) {
      const now = ((performance.now() - began) / 1000) * perSecond;
      // Skips requests that became due while this process was late: they would form an unrealistic burst.
      const late = Math.max(0, Math.floor(now - due - (MAX_LATE_MS / 1000) * perSecond));
      due += late;
      unsent += late;
      for (; due < now; due++) {
        const [kind, eventId, token, quantity] = [weighed(KINDS), pick(eventIds), pick(members), int(1, 10)];
        if (under.size >= MAX_OPEN) {
          unsent++;
          continue;
        }
        const work = send(kind, eventId, token, due, quantity);
        under.add(work);
        void work.finally(() => under.delete(work));
      }
      await pause(TICK_MS);
    }
  }
  const running = run();
  return {
    counts: () => {
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
      return {
        requests: due - unsent,
        failed: failures.length,
        refused,
        unsent,
        repeated,
        slowestMs: Math.round(sorted.at(-1) ?? 0),
        p50Ms: at(0.5),
        p99Ms: at(0.99),
        slowestRefusalMs: Math.round(slowestRefusalMs),
        ownDelayMs: Math.round(ownDelays.mean / 1e6) - OWN_RESOLUTION_MS,
        slowestOwnDelayMs: Math.round(ownDelays.max / 1e6),
      };
    },
    failures: () => failures,
    stop: async () => {
      stopped = true;
      await running;
      await Promise.all(under);
      ownDelays.disable();
    },
  };
}
