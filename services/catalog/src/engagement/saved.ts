import { savedCursor, type MyEngagement, type SavedQuery } from '@beltway/contracts/identity/engagement';
import type { Interest } from '@beltway/contracts/identity/engagement';
import type { EventPage } from '@beltway/contracts/catalog/events';
import type { Queryable } from '@beltway/kit/postgres';
import type { ListingRow } from '../event/queries.ts';
import { JOINED, SHOWN, answerOf, overBefore } from '../event/queries.ts';

const PAGE = 24;

const MINE = `select event_id as "eventId", bool_or(kind = 'like') as liked, bool_or(kind = 'bookmark') as bookmarked,
    max(value) filter (where kind = 'interest') as interest
  from event_reactions where user_id = $1 and event_id = any($2::int[]) and kind in ('like', 'bookmark', 'interest')
  group by event_id order by event_id`;

/** What an account did with each of these events; those with which it did nothing are left out. */
export async function engagementOf(db: Queryable, userId: number, eventIds: number[]): Promise<MyEngagement[]> {
  const { rows } = await db.query<MyEngagement & { interest: Interest | null }>({
    name: 'my-engagement',
    text: MINE,
    values: [userId, eventIds],
  });
  return rows;
}

const saved = (isPart: string, isAfter: string, order: string) => `select ${SHOWN}
  from event_reactions r join listings l using (event_id) ${JOINED}
  where r.user_id = $1 and r.kind = 'bookmark' and ${isPart}
    and ($3::timestamptz is null or (l.event_date, l.event_start_time, l.event_id) ${isAfter} ($3, $4::text, $5::int))
  order by ${order} limit $6`;
const SAVED = {
  // A postponed event keeps its old date until it has a new one.
  upcoming: saved(
    `(l.event_date >= $2 or l.status = 'postponed')`,
    '>',
    'l.event_date, l.event_start_time, l.event_id',
  ),
  past: saved(
    `l.event_date < $2 and l.status <> 'postponed'`,
    '<',
    'l.event_date desc, l.event_start_time desc, l.event_id desc',
  ),
};

/** A page of the events that an account saved: those to come soonest first, those that are over latest first; cancelled ones too. */
export async function savedEvents(db: Queryable, userId: number, query: SavedQuery, now: Date): Promise<EventPage> {
  const { part, cursor, limit = PAGE } = query;
  const { rows } = await db.query<ListingRow>({
    name: `saved-${part}`,
    text: SAVED[part],
    values: [
      userId,
      overBefore(now),
      cursor?.eventDate ?? null,
      cursor?.eventStartTime ?? null,
      cursor?.eventId ?? null,
      limit + 1,
    ],
  });
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => answerOf(row, false)),
    nextCursor: rows.length > limit ? savedCursor(shown.at(-1)!) : null,
  };
}
