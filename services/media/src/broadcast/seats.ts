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
  /** A UUID that the browser generated for one open page. */
  viewerId: string;
  /** The owner of the seat: an account or a network. */
  holder: string;
  /** Seats that one holder may have at the same time. */
  maxOfHolder: number;
  /** The value of `maxOfHolder` once half of all seats are taken. */
  maxOfHolderWhenBusy: number;
  /** All seats of the broadcast. */
  maxViewers: number;
  /** Whether the viewer gets a seat even when all seats are taken. */
  isUnlimited: boolean;
}

/** `full`: all seats are taken; `too-many`: the holder has its maximum of seats. */
export type SeatOutcome = 'seated' | 'full' | 'too-many';

export interface Seats {
  /** Takes a seat or renews it. Even for concurrent viewers, never gives more seats than the broadcast has. */
  take(request: SeatRequest): Promise<SeatOutcome>;
  /** `holders`: all holders under which this viewer may have taken the seat. */
  leave(request: Pick<SeatRequest, 'eventId' | 'viewerId'> & { holders: readonly string[] }): Promise<void>;
  /** Whether the viewer has a seat now. Cached for a few seconds. */
  isSeated(eventId: number, viewerId: string): Promise<boolean>;
}

const MAX_WAITING = 5_000;
const MAX_KNOWN = 20_000;
/** How long it is cached that a viewer has a seat. */
const KNOWN_MS = 5_000;
const IN_BATCH = 200;
/** First part of the keys of this service's advisory locks for seats. */
const LOCK = 7_601;
const UNTIL = `now() + interval '${BROADCAST.seatSeconds} seconds'`;

// Plain SQL, because the browser of each viewer runs `KEEP` and `SEATED` repeatedly, so both statements are prepared by
// name.
const KEEP = `update broadcast_seats set expires_at = ${UNTIL}
  where event_id = $1 and viewer_id = $2 and holder = $3 and expires_at > now()`;
// Plain SQL, because the statement takes arrays of viewers and holders.
const SEAT = `insert into broadcast_seats (event_id, viewer_id, holder, expires_at)
  select $1, v, h, ${UNTIL} from unnest($2::uuid[], $3::text[]) n (v, h)
  on conflict (event_id, viewer_id) do update set expires_at = excluded.expires_at, holder = excluded.holder`;
const SEATED = `select from broadcast_seats where event_id = $1 and viewer_id = $2 and expires_at > now()`;

/**
 * Seats of broadcasts. Concurrent requests for one broadcast are seated in batches. Only one batch of a broadcast runs
 * at a time, over all instances.
 */
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

  /** Adds the request to the batch of its event. A batcher without waiting requests is dropped. */
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

/**
 * Seats a batch of requests for one event. A lock keeps other batches from counting or taking seats at the same time.
 */
const seatGroup = (pool: Pool, group: SeatRequest[]): Promise<SeatOutcome[]> =>
  transaction(pool, async (tx) => {
    const { eventId } = group[0]!;
    // Plain SQL, because the query builder cannot take a lock without rows.
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
      // A viewer who signed in or out keeps the seat, if the new holder may have another seat.
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

/** The number of viewers of each event. Events without viewers are left out. */
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
