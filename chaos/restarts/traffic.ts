import { setTimeout as pause } from 'node:timers/promises';
import { random } from '../random.ts';
import type { ClientLedger } from '../load/client-ledger.ts';

export interface TrafficOptions {
  url: string;
  seed: string;
  perSecond: number;
  eventIds: number[];
  /** Tokens of members. */
  members: string[];
  /** Made by the server: the holds are guests'. */
  guestKey: string;
  ledger: ClientLedger;
}

export interface Traffic {
  counts(): { requests: number; failed: number; slowestMs: number };
  /** What went wrong, in words: no answer, or one that is no success. */
  failures(): string[];
  stop(): Promise<void>;
}

const ANSWER_MS = 15_000;
const TICK_MS = 20;

const KINDS = [
  [30, 'feed'],
  [30, 'event'],
  [20, 'availability'],
  [15, 'hold'],
  [5, 'my-tickets'],
] as const;

/** Sends so many requests a second, whatever becomes of those before, and tries none again: each that fails counts. */
export function startTraffic({ url, seed, perSecond, eventIds, members, guestKey, ledger }: TrafficOptions): Traffic {
  const { weighed, pick, int } = random(`${seed}:traffic`);
  const under = new Set<Promise<void>>();
  const failures: string[] = [];
  let stopped = false;
  let requests = 0;
  let slowestMs = 0;

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
      const response = await fetch(new URL(path!, url), {
        method: method!,
        headers: {
          ...(kind === 'my-tickets' && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': `${guestKey}.${key}` }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      status = response.status;
      const text = await response.text();
      if (kind === 'hold' && status === 201) said = JSON.parse(text) as typeof said;
      if (status >= 300)
        failures.push(`${new Date().toISOString()} ${method} ${path} answered ${status} ${text.slice(0, 120)}`);
    } catch (error) {
      status = 0;
      const cause = (error as Error).cause as { code?: string; message?: string } | undefined;
      failures.push(
        `${new Date().toISOString()} ${method} ${path}: ${String(error)} (${cause?.code ?? cause?.message ?? 'no cause'})`,
      );
    }
    answered?.({ outcome: status === 201 ? 'acknowledged' : 'unknown', status, ...said });
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }

  async function run(): Promise<void> {
    const began = performance.now();
    while (!stopped) {
      const due = ((performance.now() - began) / 1000) * perSecond;
      for (; requests < due; requests++) {
        const work = send(weighed(KINDS), pick(eventIds), pick(members), requests, int(1, 10));
        under.add(work);
        void work.finally(() => under.delete(work));
      }
      await pause(TICK_MS);
    }
  }
  const running = run();
  return {
    counts: () => ({ requests, failed: failures.length, slowestMs: Math.round(slowestMs) }),
    failures: () => failures,
    stop: async () => {
      stopped = true;
      await running;
      await Promise.all(under);
    },
  };
}
