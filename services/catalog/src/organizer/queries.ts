import type { Following, Organizer } from '@beltway/contracts/catalog/organizers';
import { countRows } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { ListingRow } from '../event/queries.ts';
import { kysely } from '../db.ts';
import { JOINED, SHOWN, listed } from '../event/queries.ts';

const MAX_UPCOMING = 100;
const MAX_PAST = 24;
const MAX_FROM_FOLLOWED = 24;

/**
 * The data of an organizer's page. undefined if the account never published an event or is suspended. Canceled events
 * count as published.
 */
export async function organizerById(db: Queryable, id: number): Promise<Organizer | undefined> {
  const organizer = await kysely(db)
    .selectFrom(sql<{ id: number }>`(select ${id}::integer as id)`.as('o'))
    .leftJoin('organizerProfiles as p', 'p.userId', 'o.id')
    .select((eb) => [
      eb.selectFrom('accounts').select('name').where('userId', '=', id).as('name'),
      eb.selectFrom('follows').select(countRows).where('organizerId', '=', id).$asScalar().$notNull().as('followers'),
      eb.fn.coalesce('p.about', sql.lit('')).as('about'),
      eb.fn.coalesce('p.links', sql<string[]>`'{}'::text[]`).as('links'),
      'p.pictureUrl',
      'p.coverUrl',
    ])
    .where((eb) => eb.exists(eb.selectFrom('listings').select('eventId').where('organizerId', '=', id)))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('organizerSuspensions')
            .select('userId')
            .where('userId', '=', id)
            .where('isSuspended', '=', true),
        ),
      ),
    )
    .executeTakeFirst();
  return organizer && { id, ...organizer };
}

/**
 * Plain SQL, because the statement reads two parts with their counts: upcoming and past events. The search index has
 * the end of each event. A postponed event has no end in the index, and comes last.
 */
const EVENTS = `
  with own as (
    select l.event_id, e.starts_at, e.ends_at > $2 as is_upcoming
    from listings l join event_search e using (event_id)
    where l.organizer_id = $1 and l.status in ('published', 'postponed')
  ), counted as (
    select count(*) filter (where is_upcoming)::int as "upcomingCount",
      count(*) filter (where not is_upcoming)::int as "pastCount" from own
  ), shown as (
    (select * from own where is_upcoming order by starts_at, event_id limit ${MAX_UPCOMING})
    union all
    (select * from own where not is_upcoming order by starts_at desc, event_id desc limit ${MAX_PAST})
  )
  select ${SHOWN}, shown.is_upcoming as "isUpcoming", counted.*
  from shown cross join counted join listings l using (event_id) ${JOINED}
  order by shown.is_upcoming desc, case when shown.is_upcoming then shown.starts_at end, shown.starts_at desc, l.event_id`;

interface OwnEvents {
  upcoming: ListingRow[];
  past: ListingRow[];
  upcomingCount: number;
  pastCount: number;
}

/** An organizer's published events: the next 100 events, and the 24 latest past events. */
export async function eventsOfOrganizer(db: Queryable, id: number, now: Date): Promise<OwnEvents> {
  const { rows } = await db.query<
    ListingRow & { isUpcoming: boolean } & Pick<OwnEvents, 'upcomingCount' | 'pastCount'>
  >({ name: 'events-of-organizer', text: EVENTS, values: [id, now] });
  return {
    upcoming: rows.filter(({ isUpcoming }) => isUpcoming),
    past: rows.filter(({ isUpcoming }) => !isUpcoming),
    upcomingCount: rows[0]?.upcomingCount ?? 0,
    pastCount: rows[0]?.pastCount ?? 0,
  };
}

/** The number of events that an account has published, in any state. */
export const eventsPublishedBy = (db: Queryable, id: number): Promise<{ events: number }> =>
  kysely(db)
    .selectFrom('listings')
    .select(sql<number>`count(*)::int`.as('events'))
    .where('organizerId', '=', id)
    .executeTakeFirstOrThrow();

/** The organizers that an account follows, most recently followed first. */
export async function followedBy(db: Queryable, followerId: number): Promise<Following['organizers']> {
  return kysely(db)
    .selectFrom('follows as f')
    .leftJoin('accounts as a', 'a.userId', 'f.organizerId')
    .select(['f.organizerId as id', 'a.name'])
    .where('f.followerId', '=', followerId)
    .orderBy('f.createdAt', 'desc')
    .orderBy('f.organizerId')
    .execute();
}

/** Upcoming events of the organizers that an account follows, soonest first. */
export async function upcomingOfFollowed(db: Queryable, followerId: number, now: Date): Promise<ListingRow[]> {
  return listed(db)
    .innerJoin('follows as f', 'f.organizerId', 'l.organizerId')
    .innerJoin('eventSearch as e', 'e.eventId', 'l.eventId')
    .where('f.followerId', '=', followerId)
    .where('l.status', '=', 'published')
    .where('e.endsAt', '>', now)
    .orderBy('e.startsAt')
    .orderBy('l.eventId')
    .limit(MAX_FROM_FOLLOWED)
    .execute();
}
