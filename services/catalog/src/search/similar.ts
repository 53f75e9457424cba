import { categoryOf } from '@beltway/contracts/catalog/categories';
import type { Pool } from 'pg';
import type { ListingRow } from '../event/queries.ts';
import { JOINED, SHOWN } from '../event/queries.ts';
import { shownPlace } from '../event/place.ts';
import { mark, milesBetween, onPlane } from './document.ts';
import { tagKey } from './words.ts';

const MOST = 3;
/** Maximum number of candidates per criterion. The soonest events are chosen. */
const CANDIDATES = 40;
const NEAR_MILES = 3;

const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * Reads candidates for three criteria, each with its own index: a shared tag, the same category, a short distance.
 * Leaves out sold-out events.
 */
const STATEMENT = `
  with likely as (
    (select event_id from event_search e where document @@ $3::tsquery and ends_at > $2 order by starts_at, event_id limit ${CANDIDATES})
    union
    (select event_id from event_search e where document @@ $4::tsquery and ends_at > $2 order by starts_at, event_id limit ${CANDIDATES})
    union
    (select event_id from event_search e where position <@ circle(point($5::float8, $6::float8), ${NEAR_MILES}) and ends_at > $2
      order by starts_at, event_id limit ${CANDIDATES})
  )
  select ${SHOWN} from likely join listings l using (event_id) ${JOINED}
  where l.event_id <> $1 and l.status = 'published' and (l.capacity is null or coalesce(s.sold, 0) < l.capacity)
  order by l.event_date, l.event_start_time, l.event_id`;

/**
 * How similar two events are. A shared tag weighs more than the same category, which weighs more than a short distance.
 */
function likeness(one: ListingRow, other: ListingRow): number {
  const tags = new Set(one.tags.map(tagKey));
  const shared = new Set(other.tags.map(tagKey).filter((tag) => tags.has(tag))).size;
  const category = categoryOf(one.tags).name;
  const isSameKind = category !== 'other' && category === categoryOf(other.tags).name;
  const [here, there] = [shownPlace(one), shownPlace(other)];
  const areSure = here && there && !here.isApproximate && !there.isApproximate;
  const isNear = areSure && milesBetween(here, there) <= NEAR_MILES;
  return 3 * Math.min(shared, 3) + (isSameKind ? 2 : 0) + (isNear ? 1 : 0);
}

const titleKey = ({ title }: ListingRow): string => title.toLowerCase();

/**
 * At most three upcoming events that are similar in tags, category and place. Equally similar events are sorted soonest
 * first. Returns one event per title. Leaves out events with this event's title, because they are other dates of the
 * same event.
 */
export async function similarTo(pool: Pool, event: ListingRow, now: Date): Promise<ListingRow[]> {
  const place = shownPlace(event);
  const { east, north } = place ? onPlane(place) : { east: null, north: null };
  const tags = event.tags.map((tag) => quoted(mark.tag(tag))).join('|');
  const category = categoryOf(event.tags).name;
  // The statement is not prepared, so that PostgreSQL plans it for these tags. For a common tag it reads events in the
  // order of their starts, for a rare tag it uses the index of tags.
  const { rows } = await pool.query<ListingRow>({
    text: STATEMENT,
    // An empty query matches nothing.
    values: [event.eventId, now, tags, category === 'other' ? '' : quoted(mark.category(category)), east, north],
  });
  const seen = new Set([titleKey(event)]);
  return rows
    .map((row) => ({ row, score: likeness(event, row) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .filter(({ row }) => !seen.has(titleKey(row)) && seen.add(titleKey(row)))
    .slice(0, MOST)
    .map(({ row }) => row);
}
