import { setTimeout as pause } from 'node:timers/promises';
import { random } from '../random.ts';
import type { Client } from './client.ts';
import { organiserOf } from './organiser.ts';

export interface CrowdOptions {
  client: Client;
  guestKey: string;
  instances: () => string[];
  /** Token of who opens the sales. */
  organiser: string;
  seed: string;
  /** No more requests. */
  over: AbortSignal;
}

export interface Crowd {
  /** Holds asked for so far. */
  asked(): number;
  /** Every sale that was opened. */
  sales(): number[];
  stop(): Promise<void>;
}

const PAUSE_MS = 1_000;
const INSIST_MS = 6_000;
const LEAST = 120;
const MOST = 400;
/** A new sale opens with every so many rushes; they go to it and to one of the few before it. */
const RUSHES_PER_SALE = 2;
const LATEST = 3;

/**
 * Rushes: hundreds of holds of 1 to 10 tickets in the same moment, for one or two sales, sent to every instance and to the gateway.
 * Buyers who come one by one seldom make the event store pipeline its groups; these do. The first ones come one after another, to
 * each instance in turn, so that every one of them knows the sale and has missed a few holds of the others. All let their holds lapse,
 * so that the next rush finds stock again.
 */
export function startCrowd({ client, guestKey, instances, organiser, seed, over }: CrowdOptions): Crowd {
  const stopping = new AbortController();
  const { open } = organiserOf(client, organiser, over);
  const sales: number[] = [];
  let asked = 0;

  async function openSale(n: number): Promise<void> {
    const { int } = random(`${seed}:arena:${n}`);
    const capacity = int(40, 300);
    const plan = { name: `Arena ${n}`, capacity, price: 20, growsAt: null, growsTo: capacity, cancelledAt: null };
    const eventId = await open(plan);
    if (eventId !== undefined) sales.push(eventId);
  }

  async function rush(n: number): Promise<void> {
    const { int, next } = random(`${seed}:rush:${n}`);
    if (n % RUSHES_PER_SALE === 0) await openSale(n);
    const latest = sales.slice(-LATEST);
    if (latest.length === 0) return;
    const chosen = [...new Set([latest.at(-1)!, latest[int(0, latest.length - 1)]!])];
    const hold = (person: number, eventId: number, instance: string | undefined) => {
      const key = `rush-${n}-${person}`;
      const quantity = int(1, 10);
      asked++;
      return client.insist(
        {
          path: '/api/holds',
          body: { eventId, quantity },
          headers: { 'idempotency-key': `${guestKey}.${key}` },
          asked: { call: 'hold', key, eventId, quantity },
          instance,
          read: ({ body }) => (typeof body['orderId'] === 'string' ? { orderId: body['orderId'] } : {}),
        },
        INSIST_MS,
      );
    };
    let people = 0;
    for (const eventId of chosen) for (const instance of instances()) await hold(people++, eventId, instance);
    const doors = [undefined, ...instances(), ...instances()];
    await Promise.all(
      Array.from({ length: int(LEAST, MOST) }, () =>
        hold(people++, chosen[people % chosen.length]!, doors[Math.floor(next() * doors.length)]),
      ),
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
