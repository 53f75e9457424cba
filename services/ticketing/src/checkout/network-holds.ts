import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { int2s, int4s, uuidFrom, uuids } from '@beltway/event-store';
import { ago, type Of } from '@beltway/kit/kysely';
import { sql, type ExpressionBuilder } from 'kysely';
import { statement, kysely, type Tables } from '../db.ts';
import { tooMuch } from '@beltway/kit/allowances';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { Logger } from '@beltway/kit/logger';
import { networksOf } from '@beltway/kit/network';
import type { Queryable } from '@beltway/kit/postgres';
import { keyedText, type Secrets } from '@beltway/kit/secrets';
import { PAID_STATES } from '../order/status.ts';

/**
 * How long a record counts while the sale has not decided. Must be longer than a command takes to be decided or to fail
 * (`TIMEOUT_MS` in sale/route-to-instance.ts, plus the store's timeout).
 */
const DECIDED_WITHIN = '60 s';
/** `Retry-After` in seconds. Holds end one after the other, each after at most twenty minutes. */
const COME_BACK_S = 60;
/**
 * The share of one sale's tickets that the guests of one IP address may hold. They may always hold LEAST_OF_SALE
 * tickets, because all people of a campus or a phone carrier may share one IP address. Wider IPv6 networks may hold
 * more, up to half of the sale's tickets.
 */
const PART_OF_SALE = 1 / 5;
const LEAST_OF_SALE = 10;
/**
 * If the guests of an IP address let LEAST_OF_SALE more tickets of a sale lapse than they pay for, the lapsed tickets
 * count as held for the time PAUSE. Each time these guests let their full allowance lapse again, the time doubles.
 */
const PAUSE = '10 minutes';
/**
 * The maximum number of doublings: the time grows to at most 160 minutes. All people of a campus may share one IP
 * address, and one person must not block them for days.
 */
const MAX_DOUBLINGS = 4;
/** After this time without a lapse, a network's count of lapsed tickets starts at zero again. */
const FORGIVEN = '1 day';

export interface NetworkHold {
  address: string;
  orderId: string;
  eventId: number;
  quantity: number;
  /** An open order of the same sale that this hold replaces. */
  replaces?: string | undefined;
}

export interface NetworkHolds {
  /**
   * Records a hold before its sale decides. Throws 429 if the IP address, or a wider network that contains it, would
   * hold more open tickets than allowed. Returns a function that removes the record; call this function if the sale
   * refuses the hold. If the outcome is unknown, the record expires within a minute.
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

const removeAll = statement((db, of: Of<{ networks: Buffer; requests: Buffer }>) =>
  db
    .deleteFrom('networkHolds as h')
    .using(
      sql<{
        network: string;
        request: string;
      }>`unnest(${of('networks')}::uuid[], ${of('requests')}::uuid[])`.as<'gone'>(sql.raw('gone (network, request)')),
    )
    .whereRef('h.network', '=', 'gone.network')
    .whereRef('h.request', '=', 'gone.request'),
);
const removeNotes = batchLoader(async (pool: Pool, notes: Note[]): Promise<undefined[]> => {
  const rows = notes.flatMap(({ request, networks }) => networks.map(({ id }) => ({ request, id })));
  await removeAll.rows(pool, {
    networks: uuids(rows.map(({ id }) => id)),
    requests: uuids(rows.map(({ request }) => request)),
  });
  return notes.map(() => undefined);
});

/**
 * Plain SQL, because the query builder's form is unreadable. Each order counts once, with its last record. A replaced
 * order counts through the order that replaced it. Tickets that a network paid for are subtracted from lapsed ones.
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

/**
 * Removes the records of holds that ended or that no sale decided, and counts lapsed tickets. Must not run
 * concurrently.
 */
export async function sweepNetworkHolds(db: Queryable): Promise<void> {
  await db.query(SWEEP);
  await kysely(db).deleteFrom('networkLapses').where(isOld).execute();
}

/**
 * Limits the tickets that the guests of one IP address hold, across all instances (docs/decisions/0026). The limit over
 * all sales is `max`; for an IPv6 network it is four times `max` for a /56 and sixteen times `max` for a /48. A
 * separate limit is a share of each sale. The caller decides who counts as a guest. Networks are stored as keyed
 * hashes, while their holds are open and for a day after a lapse.
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
          log.warn({ err: error }, 'the record of a refused hold could not be removed; it lapses on its own'),
        );
    },
  };
}

/** Whether `sweepNetworkHolds` has something to do. */
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
