import { BROADCAST } from '@beltway/contracts/media/broadcast';
import { Overloaded } from '@beltway/event-store';
import { batcher } from '@beltway/kit/batcher';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

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

const KEEP = `update broadcast_seats set expires_at = ${UNTIL}
  where event_id = $1 and viewer_id = $2 and holder = $3 and expires_at > now()`;
const TAKEN = `select viewer_id as "viewerId", holder, expires_at > now() as "isLive" from broadcast_seats
  where event_id = $1 and viewer_id = any($2::uuid[])`;
const COUNTS = `select count(*)::int as "all" from broadcast_seats where event_id = $1 and expires_at > now()`;
const HELD = `select holder, count(*)::int as seats from broadcast_seats
  where event_id = $1 and expires_at > now() and holder = any($2) group by holder`;
const SEAT = `insert into broadcast_seats (event_id, viewer_id, holder, expires_at)
  select $1, v, h, ${UNTIL} from unnest($2::uuid[], $3::text[]) n (v, h)
  on conflict (event_id, viewer_id) do update set expires_at = excluded.expires_at, holder = excluded.holder`;
const AUDIENCE = `insert into broadcast_audiences (event_id, total, peak) values ($1, $2, $3)
  on conflict (event_id) do update set total = broadcast_audiences.total + excluded.total,
    peak = greatest(broadcast_audiences.peak, excluded.peak)`;
const LEAVE = `delete from broadcast_seats where event_id = $1 and viewer_id = $2 and holder = any($3::text[])`;
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
      await pool.query(LEAVE, [eventId, viewerId, holders]);
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
async function seatGroup(pool: Pool, group: SeatRequest[]): Promise<SeatOutcome[]> {
  const { eventId } = group[0]!;
  const db = await pool.connect();
  try {
    await db.query('begin');
    await db.query('select pg_advisory_xact_lock($1, $2)', [LOCK, eventId]);
    const ids = group.map(({ viewerId }) => viewerId);
    const there = new Map(
      (await db.query<{ viewerId: string; holder: string; isLive: boolean }>(TAKEN, [eventId, ids])).rows.map(
        (row) => [row.viewerId, row] as const,
      ),
    );
    let { all } = (await db.query<{ all: number }>(COUNTS, [eventId])).rows[0]!;
    const holders = [...new Set(group.map(({ holder }) => holder))];
    const held = new Map(
      (await db.query<{ holder: string; seats: number }>(HELD, [eventId, holders])).rows.map(
        ({ holder, seats }) => [holder, seats] as const,
      ),
    );
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
      await db.query(SEAT, [eventId, [...seated.keys()], [...seated.values()]]);
      await db.query(AUDIENCE, [eventId, fresh, all]);
    }
    await db.query('commit');
    return outcomes;
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    db.release();
  }
}

/** How many watch these events now, by event; those that nobody watches are left out. */
export async function viewersOf(db: Queryable, eventIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.query<{ eventId: number; viewers: number }>(
    `select event_id as "eventId", count(*)::int as viewers from broadcast_seats
     where event_id = any($1::int[]) and expires_at > now() group by event_id`,
    [eventIds],
  );
  return new Map(rows.map(({ eventId, viewers }) => [eventId, viewers]));
}
