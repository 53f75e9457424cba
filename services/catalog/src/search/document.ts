import { categoryOf, type CategoryName } from '@beltway/contracts/catalog/categories';
import { distanceMeters, type Position } from '@beltway/places/distance';
import { placeLabel } from '@beltway/places/gazetteer';
import { REGION_CENTER } from '@beltway/places/map/view';
import { isSpot } from '@beltway/places/find';
import { placesNear } from '@beltway/places/near';
import { daysOfEvent, endOf, startOf, type EventHours } from '@beltway/contracts/common/times';
import type { Statements } from '@beltway/event-store';
import type { Details } from '../event/events.ts';
import { placeIn } from '../event/place.ts';
import { tagKey, wordsOf, wordsOfTag } from './words.ts';

/**
 * The version of the indexing code. Raise the version if the code indexes an unchanged event differently. When the
 * service starts, it indexes rows of older versions again.
 */
export const INDEX_VERSION = 3;

/** The fields of an event that are indexed. */
export type Indexed = EventHours &
  Pick<
    Details,
    | 'title'
    | 'description'
    | 'location'
    | 'tags'
    | 'hasTickets'
    | 'ticketSalesEnabled'
    | 'priceCents'
    | 'capacity'
    | 'freeEntry'
  > & { salesStart: string | Date | null; salesEnd: string | Date | null; isPostponed?: boolean };

const METERS_PER_MILE = 1_609.344;
export const milesBetween = (one: Position, other: Position): number => distanceMeters(one, other) / METERS_PER_MILE;

/** Miles per degree of latitude, and per degree of longitude at the center of the region. */
const NORTH = milesBetween({ lat: 0, lon: 0 }, { lat: 1, lon: 0 });
const EAST = NORTH * Math.cos((REGION_CENTER.lat * Math.PI) / 180);

/**
 * Miles east and north of the region's center. The region is small enough to ignore the curvature of the earth (0.5 %
 * error at its edges).
 */
export function onPlane({ lat, lon }: Position): { east: number; north: number } {
  return { east: (lon - REGION_CENTER.lon) * EAST, north: (lat - REGION_CENTER.lat) * NORTH };
}
/** The same position in SQL, for a listing; null if the listing has no coordinates. */
const POSITION = `point((lon - (${REGION_CENTER.lon})) * ${EAST}, (lat - (${REGION_CENTER.lat})) * ${NORTH})`;

/** Whether the event sells or sold tickets here. A postponed event sells no tickets. */
const isTicketed = (event: Indexed): boolean =>
  !event.isPostponed &&
  event.hasTickets &&
  event.ticketSalesEnabled &&
  event.priceCents !== null &&
  event.capacity !== null;

/**
 * The start and end of a postponed event: PostgreSQL's last time. Searches by words list the event after all others,
 * and searches by day do not find it.
 */
const NO_DATE = 'infinity';

/** Whether the event is free: it sells no tickets, and the organizer has stated free entry or used the tag `free`. */
const isFree = (event: Indexed): boolean =>
  !isTicketed(event) && (event.freeEntry === true || event.tags.some((tag) => tagKey(tag) === 'free'));

/** A tag, a category or free entry as one lexeme of the document. No word begins with `#` or `@`. */
export const mark = {
  tag: (tag: string) => `#${tagKey(tag)}`,
  category: (name: CategoryName) => `@${name}`,
  free: '@free-entry',
};

const WALK_METERS = 700;
const MOST_AROUND = 6;

/**
 * The words for a place: its names, also written as one word (`wolftrap`), and the surrounding quarters and stations.
 */
function wordsOfPlace(location: string): string[] {
  const found = placeIn(location);
  if (!found) return wordsOf(location);
  const { place } = found;
  const isNamedSpot = found.match !== 'within' && isSpot(place);
  const around = isNamedSpot
    ? placesNear(place.lat, place.lon, WALK_METERS)
        .map((near) => near.place)
        .filter(({ kind }) => kind === 'neighborhood' || kind === 'station')
        .slice(0, MOST_AROUND)
    : [];
  const names = [place, ...around].flatMap(({ name, otherNames }) => [name, ...otherNames]);
  const inOneWord = names.filter((name) => name.includes(' ')).map((name) => tagKey(name));
  const states = { DC: 'DC Washington', MD: 'MD Maryland', VA: 'VA Virginia' };
  return wordsOf([location, placeLabel(place), states[place.state], ...names, ...inOneWord].join(' \n '));
}

/** The words of each field of an event, and the marks of the event. */
export function documentOf(event: Indexed) {
  return {
    title: wordsOf(event.title),
    tags: [...new Set(event.tags.flatMap(wordsOfTag))],
    place: wordsOfPlace(event.location),
    description: wordsOf(event.description),
    marks: [
      ...event.tags.map(mark.tag),
      mark.category(categoryOf(event.tags).name),
      ...(isFree(event) ? [mark.free] : []),
    ],
  };
}

const FIELDS = [
  'starts_at',
  'ends_at',
  'price_cents',
  'capacity',
  'sales_start',
  'sales_end',
  'position',
  'document',
  'several_days',
  'index_version',
];

/** The tables of the search index. `canceled_search` is for calendars, which contain canceled events. */
export type SearchTable = 'event_search' | 'canceled_search';

const indexInto = (table: SearchTable) => `
  insert into ${table} (event_id, created_at, event_version, popularity, ${FIELDS.join(', ')})
  select $1, created_at, version, search_popularity(coalesce((select sold from stock where event_id = $1), 0)),
    $2::timestamptz, $3::timestamptz, $4::int, $5::int, $6::timestamptz, $7::timestamptz, ${POSITION},
    search_document($8::text[], $9::text[], $10::text[], $11::text[], $12::text[]), $13::boolean, ${INDEX_VERSION}
  from listings where event_id = $1
  on conflict (event_id) do update set event_version = excluded.event_version, ${FIELDS.map((field) => `${field} = excluded.${field}`).join(', ')}`;

const INDEX = { event_search: indexInto('event_search'), canceled_search: indexInto('canceled_search') };

/** The words are sorted, so that two transactions that add the same words do not deadlock. */
const LEARN = `insert into search_words (word, lexeme)
  select asked.word, search_lexeme(asked.word) from unnest($1::text[]) asked (word)
  where not exists (select from search_words known where known.word = asked.word) on conflict (word) do nothing`;

/**
 * Writes the search document of an event, replacing the previous document. Call this function after the listing is
 * written.
 */
export function indexEvent(
  sql: Statements,
  eventId: number,
  event: Indexed,
  table: SearchTable = 'event_search',
): void {
  const { title, tags, place, description, marks } = documentOf(event);
  const isSold = isTicketed(event);
  const { first, last } = daysOfEvent(event);
  sql.query(INDEX[table], [
    eventId,
    event.isPostponed ? NO_DATE : startOf(event),
    event.isPostponed ? NO_DATE : endOf(event),
    isFree(event) ? 0 : event.hasTickets ? event.priceCents : null,
    isSold ? event.capacity : null,
    isSold ? event.salesStart : null,
    isSold ? event.salesEnd : null,
    title,
    tags,
    place,
    description,
    marks,
    !event.isPostponed && first < last,
  ]);
  sql.query(LEARN, [[...new Set([...title, ...tags, ...place, ...description])].sort()]);
}

/** Removes a suspended event from the index, so that no search finds the event. */
export const removeFromIndex = (sql: Statements, eventId: number): void =>
  sql.query('delete from event_search where event_id = $1', [eventId]);

const OF_TIME = ['starts_at', 'ends_at'];
const MOVED = ['event_id', 'created_at', 'popularity', ...FIELDS]
  .filter((field) => !OF_TIME.includes(field))
  .join(', ');
/** Moves the index row of a canceled event. If the event has no date, feeds contain it for a month. */
const MOVE = `with moved as (delete from event_search where event_id = $1 returning *)
  insert into canceled_search (event_version, ${OF_TIME.join(', ')}, ${MOVED})
  select $2::int, ${OF_TIME.map((field) => `case when isfinite(${field}) then ${field} else (select changed_at + interval '30 days' from listings where event_id = $1) end`).join(', ')}, ${MOVED}
  from moved on conflict (event_id) do nothing`;

/** Moves a canceled event to the index that only feeds use, so that calendars show the cancellation. */
export const moveToCanceled = (sql: Statements, eventId: number, version: number): void =>
  sql.query(MOVE, [eventId, version]);
