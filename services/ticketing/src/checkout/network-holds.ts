import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { int2s, int4s, uuidFrom, uuids } from '@beltway/event-store';
import { ago } from '@beltway/kit/kysely';
import { sql, type ExpressionBuilder } from 'kysely';
import { builtOnce, kysely, type Tables } from '../db.ts';
import { tooMuch } from '@beltway/kit/allowances';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { Logger } from '@beltway/kit/logger';
import { networksOf } from '@beltway/kit/network';
import type { Queryable } from '@beltway/kit/postgres';
import { keyedText, type Secrets } from '@beltway/kit/secrets';
import { PAID_STATES } from '../order/status.ts';

/**
 * Longer than a command of a sale takes to be decided or to fail (`TIMEOUT_MS` in sale/route-to-instance.ts, and what
 * the store waits).
 */
const DECIDED_WITHIN = '60 s';
/** Seconds: holds end one by one, at the latest after twenty minutes. */
const COME_BACK_S = 60;
/**
 * What the guests of one address may hold of one sale: this part of its tickets, and never less than LEAST_OF_SALE, since a
 * campus or a phone carrier is one address. The wider networks of IPv6 have more, and half of the sale at most.
 */
const PART_OF_SALE = 1 / 5;
const LEAST_OF_SALE = 10;
/**
 * Once the guests of an address let LEAST_OF_SALE tickets of a sale lapse, more than they paid for, these count as held for PAUSE, and twice
 * as long for each further time that as many as they may hold have lapsed.
 */
const PAUSE = '10 minutes';
/** Up to 160 minutes: one address may be a campus, which does not pay for one of its people for days. */
const MAX_DOUBLINGS = 4;
/** After this time without a lapse a network starts from zero again. */
const FORGIVEN = '1 day';

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
  networks: Array<{ id: string; max: number; allowances: number }>;
}

const tooManyHeld = (retryAfter: number) => tooMuch('too-many-held-here', retryAfter);

const takeNotes = batchLoader(async (pool: Pool, notes: Note[]): Promise<number[]> => {
  const networks = notes.flatMap((note, index) => note.networks.map((network) => ({ ...network, of: index + 1 })));
  const { rows } = await pool.query<{ wait: number }>({
    name: 'take-guest-holds',
    text: 'select take_guest_holds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as wait',
    values: [
      uuids(notes.map(({ request }) => request)),
      uuids(notes.map(({ orderId }) => orderId)),
      int4s(notes.map(({ eventId }) => eventId)),
      int2s(notes.map(({ quantity }) => quantity)),
      uuids(notes.map(({ replaces }) => replaces)),
      int4s(networks.map(({ of }) => of)),
      uuids(networks.map(({ id }) => id)),
      int4s(networks.map(({ max }) => max)),
      int4s(networks.map(({ allowances }) => allowances)),
      ...[PART_OF_SALE, LEAST_OF_SALE, COME_BACK_S, DECIDED_WITHIN],
    ],
  });
  return rows.map(({ wait }) => wait);
});

const removeAll = builtOnce((db, networks: Buffer, requests: Buffer) =>
  db
    .deleteFrom('networkHolds as h')
    .using(
      sql<{ network: string; request: string }>`unnest(${networks}::uuid[], ${requests}::uuid[])`.as<'gone'>(
        sql.raw('gone (network, request)'),
      ),
    )
    .whereRef('h.network', '=', 'gone.network')
    .whereRef('h.request', '=', 'gone.request'),
);
const removeNotes = batchLoader(async (pool: Pool, notes: Note[]): Promise<undefined[]> => {
  const rows = notes.flatMap(({ request, networks }) => networks.map(({ id }) => ({ request, id })));
  await removeAll(pool, uuids(rows.map(({ id }) => id)), uuids(rows.map(({ request }) => request)));
  return notes.map(() => undefined);
});

/**
 * Text: built, nobody could read it. Each order counts once, with its last note. One that was replaced lapses as the one that has its place. What a network paid for makes up
 * for as much that lapsed.
 */
const SWEEP = `with ended as (
    delete from network_holds h where decided_by < now()
      and not exists (select from orders o where o.order_id = h.order_id and o.status = 'held')
    returning h.network, h.order_id, h.event_id, h.of_sale
  ), orders_of as (
    select distinct on (e.network, e.order_id) e.network, coalesce(e.event_id, o.event_id) as event_id, o.quantity,
      coalesce(e.of_sale, ${LEAST_OF_SALE}) as of_sale, o.status in ${PAID_STATES} as is_paid,
      case when exists (
        select from network_holds r join orders n on n.order_id = r.order_id
        where r.network = e.network and r.replaces = e.order_id
      ) then 0 else lapsed_part(o.status, o.held_at, o.settled_at) end as lapsed_part
    from ended e join orders o on o.order_id = e.order_id
    where not exists (select from network_holds l where l.network = e.network and l.order_id = e.order_id and l.decided_by >= now())
  ), outcome as (
    select network, event_id, max(of_sale) as of_sale, sum(quantity * lapsed_part) as lapsed,
      coalesce(sum(quantity) filter (where is_paid), 0) as paid
    from orders_of group by network, event_id
  ), next as (
    select o.network, o.event_id, o.of_sale, o.lapsed > 0 as has_lapsed, l.paused_until,
      greatest(0, coalesce(l.tickets, 0) + o.lapsed - o.paid) as tickets,
      greatest(0, case when l.paused_until > now() then l.paused else 0 end + o.lapsed - o.paid) as paused
    from outcome o left join network_lapses l on l.network = o.network and l.event_id = o.event_id
      and l.updated_at > now() - interval '${FORGIVEN}'
    where o.lapsed > 0 or l.network is not null
  )
  insert into network_lapses (network, event_id, tickets, paused, paused_until, updated_at)
  select network, event_id, tickets, paused, case when has_lapsed
    then greatest(paused_until, now() + interval '${PAUSE}' * power(2, least(${MAX_DOUBLINGS}, greatest(0, ceil(tickets / of_sale) - 1))))
    else paused_until end, now() from next
  on conflict (network, event_id) do update set tickets = excluded.tickets, paused = excluded.paused,
    paused_until = excluded.paused_until, updated_at = excluded.updated_at`;

const isOld = (eb: ExpressionBuilder<Tables, 'networkLapses'>) =>
  eb.and([eb('updatedAt', '<', ago(FORGIVEN)), eb('pausedUntil', '<', sql<Date>`now()`)]);

/** Removes the notes of holds that ended, and of those that were never decided; counts what lapsed. Run by one at a time. */
export async function sweepNetworkHolds(db: Queryable): Promise<void> {
  await db.query(SWEEP);
  await kysely(db).deleteFrom('networkLapses').where(isOld).execute();
}

/**
 * How many tickets the guests of one address hold open at a time, in all instances (docs/decisions/0026): `max` over all sales, four and
 * sixteen times that for a /56 and a /48 of IPv6, and a part of each sale. Who counts as a guest the caller decides. Networks are stored as
 * keyed hashes, for as long as their holds are open and for a day after what they let lapse.
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
        allowances,
      }));
      const note: Note = { ...hold, request: randomUUID(), networks };
      const wait = await takeNotes(pool, note);
      if (wait > 0) throw tooManyHeld(wait);
      return () =>
        void removeNotes(pool, note).catch((error: unknown) =>
          log.warn({ err: error }, 'a note of a refused hold lapses by itself'),
        );
    },
  };
}

/** True when `sweepNetworkHolds` has something to do. */
export async function hasEndedNotes(db: Queryable): Promise<boolean> {
  const due = await kysely(db)
    .selectFrom('networkHolds')
    .select('network')
    .where('decidedBy', '<', sql<Date>`now()`)
    .unionAll(kysely(db).selectFrom('networkLapses').select('network').where(isOld))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}
