import { savedCursor, type MyEngagement, type SavedQuery } from '@beltway/contracts/identity/engagement';
import type { Interest } from '@beltway/contracts/identity/engagement';
import type { EventPage } from '@beltway/contracts/catalog/events';
import type { Queryable } from '@beltway/kit/postgres';
import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { LAST_DATE, answerOf, listed, overBefore } from '../event/queries.ts';

const PAGE = 24;

/** An account's reactions to these events. Events without a reaction are left out. */
export async function engagementOf(db: Queryable, userId: number, eventIds: number[]): Promise<MyEngagement[]> {
  return kysely(db)
    .selectFrom('eventReactions')
    .select([
      'eventId',
      sql<boolean>`bool_or(kind = 'like')`.as('liked'),
      sql<boolean>`bool_or(kind = 'bookmark')`.as('bookmarked'),
      sql<Interest | null>`max(value) filter (where kind = 'interest')`.as('interest'),
    ])
    .where('userId', '=', userId)
    .where('eventId', '=', anyOf(eventIds))
    .where('kind', 'in', ['like', 'bookmark', 'interest'])
    .groupBy('eventId')
    .orderBy('eventId')
    .execute();
}

const PLACE = ['l.eventDate', 'l.eventStartTime', 'l.eventId'] as const;

/**
 * A part of the list of an account's saved events, including canceled events. Upcoming events are sorted soonest first,
 * past events latest first.
 */
export async function savedEvents(db: Queryable, userId: number, query: SavedQuery, now: Date): Promise<EventPage> {
  const { part, cursor, limit = PAGE } = query;
  const isUpcoming = part === 'upcoming';
  const order = isUpcoming ? 'asc' : 'desc';
  const rows = await listed(db)
    .innerJoin('eventReactions as r', 'r.eventId', 'l.eventId')
    .where('r.userId', '=', userId)
    .where('r.kind', '=', 'bookmark')
    // A postponed event keeps its old date until it gets a new date.
    .where((eb) => {
      const toCome = eb.or([
        eb(sql.raw<Date>(LAST_DATE), '>=', overBefore(now)),
        eb('l.status', '=', 'postponed'),
        eb('l.suspendedWithoutDate', '=', true),
      ]);
      return isUpcoming ? toCome : eb.not(toCome);
    })
    .$if(cursor !== undefined, (rest) =>
      rest.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple(...PLACE),
          isUpcoming ? '>' : '<',
          tuple(cursor!.eventDate as never, cursor!.eventStartTime, cursor!.eventId),
        ),
      ),
    )
    .orderBy('l.eventDate', order)
    .orderBy('l.eventStartTime', order)
    .orderBy('l.eventId', order)
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => answerOf(row, false)),
    nextCursor: rows.length > limit ? savedCursor(shown.at(-1)!) : null,
  };
}
