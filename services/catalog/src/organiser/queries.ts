import type { Following, Organizer } from '@beltway/contracts/catalog/organizers';
import type { Queryable } from '@beltway/kit/postgres';
import type { ListingRow } from '../event/queries.ts';
import { JOINED, SHOWN } from '../event/queries.ts';

const MAX_UPCOMING = 100;
const MAX_PAST = 24;
const MAX_FROM_FOLLOWED = 24;

/** Undefined: this account never published an event, and so has no page. Its cancelled events count: it has published them. */
export async function organiserById(db: Queryable, id: number): Promise<Organizer | undefined> {
  const { rows } = await db.query<Organizer>({
    name: 'organiser-by-id',
    text: `select $1::int as id, (select name from accounts where user_id = $1) as name,
        (select count(*)::int from follows where organiser_id = $1) as followers
      where exists (select from listings where organiser_id = $1)`,
    values: [id],
  });
  return rows[0];
}

/** Whether an event is over is known by the index of searches. A postponed one is never over there, and comes last. */
const EVENTS = `
  with own as (
    select l.event_id, e.starts_at, e.ends_at > $2 as is_upcoming
    from listings l join event_search e using (event_id)
    where l.organiser_id = $1 and l.status in ('published', 'postponed')
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

/** The published events of an organiser: the next 100, and the latest 24 of those that are over. */
export async function eventsOfOrganiser(db: Queryable, id: number, now: Date): Promise<OwnEvents> {
  const { rows } = await db.query<
    ListingRow & { isUpcoming: boolean } & Pick<OwnEvents, 'upcomingCount' | 'pastCount'>
  >({ name: 'events-of-organiser', text: EVENTS, values: [id, now] });
  return {
    upcoming: rows.filter(({ isUpcoming }) => isUpcoming),
    past: rows.filter(({ isUpcoming }) => !isUpcoming),
    upcomingCount: rows[0]?.upcomingCount ?? 0,
    pastCount: rows[0]?.pastCount ?? 0,
  };
}

/** Whom an account follows, the latest first. */
export async function followedBy(db: Queryable, followerId: number): Promise<Following['organizers']> {
  const { rows } = await db.query<Following['organizers'][number]>({
    name: 'followed-by',
    text: `select f.organiser_id as id, a.name from follows f left join accounts a on a.user_id = f.organiser_id
      where f.follower_id = $1 order by f.created_at desc, f.organiser_id`,
    values: [followerId],
  });
  return rows;
}

/** What is next of all whom an account follows, soonest first. */
export async function upcomingOfFollowed(db: Queryable, followerId: number, now: Date): Promise<ListingRow[]> {
  const { rows } = await db.query<ListingRow>({
    name: 'upcoming-of-followed',
    text: `select ${SHOWN} from follows f join listings l on l.organiser_id = f.organiser_id
        join event_search e using (event_id) ${JOINED}
      where f.follower_id = $1 and l.status = 'published' and e.ends_at > $2
      order by e.starts_at, l.event_id limit ${MAX_FROM_FOLLOWED}`,
    values: [followerId, now],
  });
  return rows;
}
