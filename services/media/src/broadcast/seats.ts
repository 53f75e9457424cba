import { BROADCAST } from '@beltway/contracts/media/broadcast';
import { Overloaded } from '@beltway/event-store';
import { batcher } from '@beltway/kit/batcher';
import { anyOf, countRows } from '@beltway/kit/kysely';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';

export interface SeatRequest {
  eventId: number;
  /** A UUID that the page made. */
  viewerId: string;
  /** Whose seat it is: an account, or a network. */
  holder: string;
  /** Seats that one holder may have at a time. */
  maxOfHolder: number;
  /** The same while half of all seats or more are taken. */
  maxOfHolderWhenBusy: number;
  /** All seats of the broadcast. */
  maxViewers: number;
  /** Gets one also when all are taken. */
  isUnlimited: boolean;
}

/** `full`: all are taken; `too-many`: the holder has as many as one may. */
export type SeatOutcome = 'seated' | 'full' | 'too-many';

export interface Seats {
  /** Takes a seat, or keeps it. Of people who come at once no more get one than there are. */
  take(request: SeatRequest): Promise<SeatOutcome>;
  /** `holders`: who the page may have taken it as. */
  leave(request: Pick<SeatRequest, 'eventId' | 'viewerId'> & { holders: readonly string[] }): Promise<void>;
  /** Whether the page has a seat now. What was found is believed for some seconds. */
  isSeated(eventId: number, viewerId: string): Promise<boolean>;
}

const MAX_WAITING = 5_000;
const MAX_KNOWN = 20_000;
/** So long a seat that was found free or taken is believed. */
const KNOWN_MS = 5_000;
const IN_BATCH = 200;
/** Advisory locks of this service that are about seats (two-part keys). */
const LOCK = 7_601;
const UNTIL = `now() + interval '${BROADCAST.seatSeconds} seconds'`;

// Text: each page of a viewer asks these two again and again, so they are prepared under a name and not built.
const KEEP = `update broadcast_seats set expires_at = ${UNTIL}
  where event_id = $1 and viewer_id = $2 and holder = $3 and expires_at > now()`;
// Text, as it has a list of pages and their holders.
const SEAT = `insert into broadcast_seats (event_id, viewer_id, holder, expires_at)
  select $1, v, h, ${UNTIL} from unnest($2::uuid[], $3::text[]) n (v, h)
  on conflict (event_id, viewer_id) do update set expires_at = excluded.expires_at, holder = excluded.holder`;
const SEATED = `select from broadcast_seats where event_id = $1 and viewer_id = $2 and expires_at > now()`;

/** Seats of broadcasts. Those who come to one at the same time are seated together, one group after the other, whatever instance they ask. */
export function openSeats(pool: Pool): Seats {
  const doors = new Map<number, ReturnType<typeof batcher<SeatRequest, SeatOutcome>>>();
  let waiting = 0;
  const known = new Map<string, { isSeated: boolean; until: number }>();
  const nameOf = (eventId: number, viewerId: string) => `${eventId} ${viewerId}`;

  function note(eventId: number, viewerId: string, isSeated: boolean): void {
    const name = nameOf(eventId, viewerId);
    known.delete(name);
    known.set(name, { isSeated, until: Date.now() + (isSeated ? KNOWN_MS : 500) });
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  }

  /** One after the other into this event's; gone when nobody waits. */
  async function enter(request: SeatRequest): Promise<SeatOutcome> {
    if (waiting >= MAX_WAITING) throw new Overloaded();
    waiting++;
    const { eventId } = request;
    const door =
      doors.get(eventId) ??
      batcher<SeatRequest, SeatOutcome>((group) => seatGroup(pool, group), {
        concurrency: 1,
        maxConcurrency: 1,
        maxItems: IN_BATCH,
      });
    doors.set(eventId, door);
    try {
      return await door.add(request);
    } finally {
      waiting--;
      if (waiting === 0) doors.clear();
    }
  }

  return {
    async take(request) {
      const { eventId, viewerId, holder } = request;
      const { rowCount } = await pool.query({
        name: 'keep-seat',
        text: KEEP,
        values: [eventId, viewerId, holder],
      });
      const outcome = rowCount === 1 ? 'seated' : await enter(request);
      if (outcome === 'seated') note(eventId, viewerId, true);
      return outcome;
    },
    async leave({ eventId, viewerId, holders }) {
      await kysely(pool)
        .deleteFrom('broadcastSeats')
        .where('eventId', '=', eventId)
        .where('viewerId', '=', viewerId)
        .where('holder', '=', anyOf(holders))
        .execute();
      note(eventId, viewerId, false);
    },
    async isSeated(eventId, viewerId) {
      const hit = known.get(nameOf(eventId, viewerId));
      if (hit && hit.until > Date.now()) return hit.isSeated;
      const { rowCount } = await pool.query({ name: 'is-seated', text: SEATED, values: [eventId, viewerId] });
      note(eventId, viewerId, rowCount === 1);
      return rowCount === 1;
    },
  };
}

/** All of one event. Under its lock: counted and seated by nobody else meanwhile. */
const seatGroup = (pool: Pool, group: SeatRequest[]): Promise<SeatOutcome[]> =>
  transaction(pool, async (tx) => {
    const { eventId } = group[0]!;
    // Text, as a lock has no rows.
    await tx.query('select pg_advisory_xact_lock($1, $2)', [LOCK, eventId]);
    const seats = kysely(tx).selectFrom('broadcastSeats').where('eventId', '=', eventId);
    const now = sql<Date>`now()`;
    const taken = await seats
      .select(['viewerId', 'holder'])
      .select(({ eb }) => eb('expiresAt', '>', now).$castTo<boolean>().as('isLive'))
      .where('viewerId', '=', anyOf(group.map(({ viewerId }) => viewerId)))
      .execute();
    const there = new Map(taken.map((row) => [row.viewerId, row] as const));
    let { count: all } = await seats.select(countRows).where('expiresAt', '>', now).executeTakeFirstOrThrow();
    const ofHolders = await seats
      .select(['holder', countRows])
      .where('expiresAt', '>', now)
      .where('holder', '=', anyOf([...new Set(group.map(({ holder }) => holder))]))
      .groupBy('holder')
      .execute();
    const held = new Map(ofHolders.map(({ holder, count }) => [holder, count] as const));
    const seated = new Map<string, string>();
    let fresh = 0;
    const outcomes = group.map(({ viewerId, holder, maxViewers, isUnlimited, ...of }): SeatOutcome => {
      const known = there.get(viewerId);
      const isThere = seated.has(viewerId) || known?.isLive === true;
      // A page whose reader signed in or out keeps its seat, if the new holder may have one.
      if (isThere && (seated.get(viewerId) ?? known?.holder) === holder) return 'seated';
      if (!isThere && all >= maxViewers && !isUnlimited) return 'full';
      const own = held.get(holder) ?? 0;
      if (own >= (all * 2 >= maxViewers ? of.maxOfHolderWhenBusy : of.maxOfHolder)) return 'too-many';
      if (!isThere) all++;
      if (!known && !seated.has(viewerId)) fresh++;
      held.set(holder, own + 1);
      seated.set(viewerId, holder);
      return 'seated';
    });
    if (seated.size > 0) {
      await tx.query(SEAT, [eventId, [...seated.keys()], [...seated.values()]]);
      await kysely(tx)
        .insertInto('broadcastAudiences')
        .values({ eventId, total: fresh, peak: all })
        .onConflict((conflict) =>
          conflict.column('eventId').doUpdateSet((eb) => ({
            total: eb('broadcastAudiences.total', '+', eb.ref('excluded.total')),
            peak: eb.fn<number>('greatest', ['broadcastAudiences.peak', 'excluded.peak']),
          })),
        )
        .execute();
    }
    return outcomes;
  });

/** How many watch these events now, by event; those that nobody watches are left out. */
export async function viewersOf(db: Queryable, eventIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await kysely(db)
    .selectFrom('broadcastSeats')
    .select(['eventId', countRows])
    .where('eventId', '=', anyOf(eventIds))
    .where('expiresAt', '>', sql<Date>`now()`)
    .groupBy('eventId')
    .execute();
  return new Map(rows.map(({ eventId, count }) => [eventId, count]));
}
