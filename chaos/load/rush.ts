import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { HoldBatchAnswer, type HoldAnswer, type HoldBatch } from '@beltway/contracts/ticketing/tickets';
import { random } from '../random.ts';
import { outcomeOf, type Client } from './client.ts';
import type { ClientLedger } from './client-ledger.ts';
import { organizerOf } from './organizer.ts';

export interface RushOptions {
  client: Client;
  ledger: ClientLedger;
  guestKey: string;
  instances: () => string[];
  internalToken: string;
  /** Token of the organizer who opens the sales. */
  organizer: string;
  seed: string;
  /** Aborts requests. */
  over: AbortSignal;
}

export interface Rushes {
  /** Number of requested holds so far. */
  asked(): number;
  /** Every sale that was opened. */
  sales(): number[];
  stop(): Promise<void>;
}

const orderIn = ({ orderId }: { orderId?: unknown }) => (typeof orderId === 'string' ? { orderId } : {});

const PAUSE_MS = 500;
const ANSWER_MS = 8_000;
const INSIST_MS = 6_000;
const MIN_HOLDS = 40;
const MAX_HOLDS = 250;
/** New sales per rush. Each rush also includes one sale of the previous rush. */
const NEW_SALES = 3;

/**
 * Sends rushes: hundreds of concurrent holds of 1 to 10 tickets for a few sales. Single requests seldom make the event
 * store pipeline its groups; a batch from the gateway does. The first holds of a sale are sent in sequence, one to each
 * instance. After that, each instance has loaded the sale, but only the last instance knows all of these holds. Most
 * other holds are sent to one instance in batches like the gateway's. Some are sent to the other instances and to the
 * gateway. All holds lapse.
 */
export function startRushes(options: RushOptions): Rushes {
  const { client, ledger, guestKey, instances, internalToken, organizer, seed, over } = options;
  const stopping = new AbortController();
  const { open } = organizerOf(client, organizer, '', over);
  const sales: number[] = [];
  let asked = 0;

  async function openSale(n: number): Promise<void> {
    const { int } = random(`${seed}:arena:${n}`);
    const capacity = int(20, 150);
    const plan = {
      name: `Arena ${n}`,
      capacity,
      price: 20,
      growsAt: null,
      growsTo: capacity,
      canceledAt: null,
      promotions: [],
      ads: [],
    };
    const eventId = await open(plan);
    if (eventId !== undefined) sales.push(eventId);
  }

  const wanted = (n: number, person: number, eventId: number, quantity: number) => {
    const key = `rush-${n}-${person}`;
    asked++;
    return {
      key: `${guestKey}.${key}`,
      body: { eventId, quantity },
      asked: { call: 'hold', key, eventId, quantity } as const,
    };
  };
  type Wanted = ReturnType<typeof wanted>;

  const hold = ({ key, body, asked }: Wanted, instance?: string) =>
    client.insist(
      {
        path: '/api/holds',
        body,
        headers: { 'idempotency-key': key },
        asked,
        instance,
        read: ({ body }) => orderIn(body),
      },
      INSIST_MS,
    );

  /** Sends a batch like the gateway. Requests with an unknown result are repeated one by one. */
  async function holdTogether(all: Wanted[], instance: string): Promise<void> {
    const answered = all.map(({ asked }) => ledger.ask({ ...asked, to: instance }));
    let answers: Array<Partial<HoldAnswer>> = [];
    const holds = all.map(({ key, body }) => ({ key, requestId: randomUUID(), body: JSON.stringify(body) }));
    try {
      const response = await fetch(new URL('/internal/holds', instance), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-token': internalToken },
        body: JSON.stringify({ holds } satisfies HoldBatch),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (response.ok) ({ answers } = HoldBatchAnswer.parse(await response.json()));
    } catch {
      // The response is missing or truncated, so the outcome is unknown.
    }
    await Promise.all(
      all.map((one, index) => {
        const { status = 0, body = '{}' } = answers[index] ?? {};
        const { code, ...order } = JSON.parse(body) as { code?: string; orderId?: string };
        const outcome = status === 0 ? 'unknown' : outcomeOf(status, code);
        const requestId = holds[index]!.requestId;
        answered[index]!({ outcome, status, requestId, ...(code !== undefined && { code }), ...orderIn(order) });
        return outcome === 'unknown' ? hold(one) : undefined;
      }),
    );
  }

  async function rush(n: number): Promise<void> {
    const { int, next } = random(`${seed}:rush:${n}`);
    const before = sales.at(-1);
    await Promise.all(Array.from({ length: NEW_SALES }, (_, one) => openSale(n * NEW_SALES + one)));
    const chosen = [...sales.slice(-NEW_SALES), ...(before === undefined ? [] : [before])];
    let people = 0;
    await Promise.all(
      chosen.map(async (eventId) => {
        const all = instances();
        for (const instance of all) await hold(wanted(n, people++, eventId, int(1, 10)), instance);
        const rest = Array.from({ length: int(MIN_HOLDS, MAX_HOLDS) }, () => wanted(n, people++, eventId, int(1, 10)));
        const together = rest.filter(() => next() < 0.8);
        const doors = [undefined, ...all];
        await Promise.all([
          all[0] && holdTogether(together, all[0]),
          ...rest
            .filter((one) => !all[0] || !together.includes(one))
            .map((one) => hold(one, doors[Math.floor(next() * doors.length)])),
        ]);
      }),
    );
  }

  const running = (async () => {
    for (let n = 0; !stopping.signal.aborted && !over.aborted; n++) {
      await rush(n);
      await pause(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    asked: () => asked,
    sales: () => sales,
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
