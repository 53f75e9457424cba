import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { int2s, int4s, uuidFrom, uuids } from '@beltway/event-store';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { Logger } from '@beltway/kit/logger';
import { networksOf } from '@beltway/kit/network';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';
import type { Poller } from '@beltway/kit/polling';
import { keyedText, type Secrets } from '@beltway/kit/secrets';
import { startJob, type JobDeps } from './jobs.ts';

/**
 * Longer than a command of a sale takes to be decided or to fail (`TIMEOUT_MS` in sale/route-to-instance.ts, and what
 * the store waits).
 */
const DECIDED_WITHIN = '60 s';
const SWEEP_MS = 60_000;
/** Seconds: holds end one by one, at the latest after twenty minutes. */
const COME_BACK_S = 60;

export interface NetworkHold {
  address: string;
  orderId: string;
  eventId: number;
  quantity: number;
  /** An open order of the same sale that this hold takes the place of. */
  replaces?: string | undefined;
}

export interface NetworkHolds {
  /**
   * Notes a hold before its sale is asked. Throws 429 when the address, or a wider network around it, would hold more
   * open tickets than it may. Answers what is to be called when the sale refused; of a hold whose end is unknown the
   * note lapses within a minute.
   */
  take(hold: NetworkHold): Promise<() => void>;
}

interface Note extends NetworkHold {
  request: string;
  networks: Array<{ id: string; max: number }>;
}

const tooManyHeld = () =>
  new HttpProblem(
    429,
    'too-many-held-here',
    'Too many tickets are held from your network right now. Please pay for them, give some back, or try again in a few minutes.',
    { retryAfter: COME_BACK_S },
  );

const takeNotes = batchLoader(async (pool: Pool, notes: Note[]): Promise<boolean[]> => {
  const networks = notes.flatMap((note, index) => note.networks.map((network) => ({ ...network, of: index + 1 })));
  const { rows } = await pool.query<{ fits: boolean }>({
    name: 'take-network-holds',
    text: 'select take_network_holds($1, $2, $3, $4, $5, $6, $7, $8, $9) as fits',
    values: [
      uuids(notes.map(({ request }) => request)),
      uuids(notes.map(({ orderId }) => orderId)),
      int4s(notes.map(({ eventId }) => eventId)),
      int2s(notes.map(({ quantity }) => quantity)),
      uuids(notes.map(({ replaces }) => replaces)),
      int4s(networks.map(({ of }) => of)),
      uuids(networks.map(({ id }) => id)),
      int4s(networks.map(({ max }) => max)),
      DECIDED_WITHIN,
    ],
  });
  return rows.map(({ fits }) => fits);
});

const removeNotes = batchLoader(async (pool: Pool, notes: Note[]): Promise<undefined[]> => {
  const rows = notes.flatMap(({ request, networks }) => networks.map(({ id }) => ({ request, id })));
  await pool.query({
    name: 'remove-network-holds',
    text: `delete from network_holds h using unnest($1::uuid[], $2::uuid[]) gone (network, request)
           where h.network = gone.network and h.request = gone.request`,
    values: [uuids(rows.map(({ id }) => id)), uuids(rows.map(({ request }) => request))],
  });
  return notes.map(() => undefined);
});

/** Removes the notes of holds that ended, and of those that were never decided. */
export const sweepNetworkHolds = (db: Queryable): Promise<unknown> =>
  db.query(`delete from network_holds h where decided_by < now()
    and not exists (select from orders o where o.order_id = h.order_id and o.status = 'held')`);

/**
 * How many tickets the clients of one address hold open at a time, over all sales and instances (docs/decisions/0026):
 * `max`, four and sixteen times that for a /56 and a /48 of IPv6. Networks are stored as keyed hashes, for as long as
 * their holds are open.
 */
export function networkHolds({
  pool,
  log,
  secret,
  max,
}: {
  pool: Pool;
  log: Logger;
  secret: Secrets;
  max: number;
}): NetworkHolds {
  return {
    async take(hold) {
      const networks = networksOf(hold.address).map(({ name, allowances }) => ({
        id: uuidFrom(keyedText(secret, 'network', name)),
        max: max * allowances,
      }));
      const note: Note = { ...hold, request: randomUUID(), networks };
      if (!(await takeNotes(pool, note))) throw tooManyHeld();
      return () =>
        void removeNotes(pool, note).catch((error: unknown) =>
          log.warn({ err: error }, 'a note of a refused hold lapses by itself'),
        );
    },
  };
}

export const startSweeping = (deps: JobDeps): Poller =>
  startJob(deps, {
    name: 'sweep network holds',
    everyMs: SWEEP_MS,
    isDue: async () => {
      const { rows } = await deps.pool.query<{ due: boolean }>(
        'select exists (select from network_holds where decided_by < now()) as due',
      );
      return rows[0]?.due === true;
    },
    work: async () => void (await sweepNetworkHolds(deps.pool)),
  });
