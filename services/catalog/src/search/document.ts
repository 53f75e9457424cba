import { categoryOf, type CategoryName } from '@beltway/contracts/catalog/categories';
import { distanceMeters, type Position } from '@beltway/places/distance';
import { placeLabel } from '@beltway/places/gazetteer';
import { REGION_CENTER } from '@beltway/places/map/view';
import { isSpot } from '@beltway/places/find';
import { placesNear } from '@beltway/places/near';
import { endOf, startOf, type EventHours } from '@beltway/contracts/common/times';
import type { Statements } from '@beltway/event-store';
import type { Details } from '../event/events.ts';
import { placeIn } from '../event/place.ts';
import { tagKey, wordsOf, wordsOfTag } from './words.ts';

/** Raised when the same event would be indexed otherwise: rows of an older version are made anew when the service starts. */
export const INDEX_VERSION = 3;

/** What is read of an event to index it. */
export type Indexed = EventHours &
  Pick<
    Details,
    'title' | 'description' | 'location' | 'tags' | 'hasTickets' | 'ticketSalesEnabled' | 'priceCents' | 'capacity'
  > & { salesStart: string | Date | null; salesEnd: string | Date | null; isPostponed?: boolean };

const METERS_PER_MILE = 1_609.344;
export const milesBetween = (one: Position, other: Position): number => distanceMeters(one, other) / METERS_PER_MILE;

/** Miles in a degree of latitude, and in one of longitude in the middle of the region. */
const NORTH = milesBetween({ lat: 0, lon: 0 }, { lat: 1, lon: 0 });
const EAST = NORTH * Math.cos((REGION_CENTER.lat * Math.PI) / 180);

/** Miles east and north of the middle of the region: the earth is flat enough within it (0.5 % at its edges). */
export function onPlane({ lat, lon }: Position): { east: number; north: number } {
  return { east: (lon - REGION_CENTER.lon) * EAST, north: (lat - REGION_CENTER.lat) * NORTH };
}
/** The same of a listing; null without coordinates. */
const POSITION = `point((lon - (${REGION_CENTER.lon})) * ${EAST}, (lat - (${REGION_CENTER.lat})) * ${NORTH})`;

/** Tickets are sold for it here, or were; none are while it is postponed. */
const isTicketed = (event: Indexed): boolean =>
  !event.isPostponed &&
  event.hasTickets &&
  event.ticketSalesEnabled &&
  event.priceCents !== null &&
  event.capacity !== null;

/** When a postponed event begins and ends: of PostgreSQL's times the last. It is found by its words, after all others, and by no day. */
const NO_DATE = 'infinity';

/** As a card says 'Free entry': no ticket is sold, and its organizer says so. */
const isFree = (event: Indexed): boolean => !isTicketed(event) && event.tags.some((tag) => tagKey(tag) === 'free');

/** A tag, a category or free entry as one lexeme of the document: no word begins like these. */
export const mark = {
  tag: (tag: string) => `#${tagKey(tag)}`,
  category: (name: CategoryName) => `@${name}`,
  free: '@free-entry',
};

const WALK_METERS = 700;
const MOST_AROUND = 6;

/** Under what a place is found: its names in one word too, `wolftrap`, and the quarters and stations around a spot. */
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

/** The words of each field, and the marks, of an event. */
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
  'index_version',
];

/** Where events are searched: those that are on, and apart from them those that were canceled, for calendars that have them. */
export type SearchTable = 'event_search' | 'canceled_search';

const indexInto = (table: SearchTable) => `
  insert into ${table} (event_id, created_at, event_version, popularity, ${FIELDS.join(', ')})
  select $1, created_at, version, search_popularity(coalesce((select sold from stock where event_id = $1), 0)),
    $2::timestamptz, $3::timestamptz, $4::int, $5::int, $6::timestamptz, $7::timestamptz, ${POSITION},
    search_document($8::text[], $9::text[], $10::text[], $11::text[], $12::text[]), ${INDEX_VERSION}
  from listings where event_id = $1
  on conflict (event_id) do update set event_version = excluded.event_version, ${FIELDS.map((field) => `${field} = excluded.${field}`).join(', ')}`;

const INDEX = { event_search: indexInto('event_search'), canceled_search: indexInto('canceled_search') };

/** In one order, so that two that add the same words do not wait for each other in a ring. */
const LEARN = `insert into search_words (word, lexeme)
  select asked.word, search_lexeme(asked.word) from unnest($1::text[]) asked (word)
  where not exists (select from search_words known where known.word = asked.word) on conflict (word) do nothing`;

/** Writes what a search finds an event by, after its listing; in the place of what was written of it before. */
export function indexEvent(
  sql: Statements,
  eventId: number,
  event: Indexed,
  table: SearchTable = 'event_search',
): void {
  const { title, tags, place, description, marks } = documentOf(event);
  const isSold = isTicketed(event);
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
  ]);
  sql.query(LEARN, [[...new Set([...title, ...tags, ...place, ...description])].sort()]);
}

const OF_TIME = ['starts_at', 'ends_at'];
const MOVED = ['event_id', 'created_at', 'popularity', ...FIELDS]
  .filter((field) => !OF_TIME.includes(field))
  .join(', ');
/** One that had no date stays in feeds for a month. */
const MOVE = `with moved as (delete from event_search where event_id = $1 returning *)
  insert into canceled_search (event_version, ${OF_TIME.join(', ')}, ${MOVED})
  select $2::int, ${OF_TIME.map((field) => `case when isfinite(${field}) then ${field} else (select changed_at + interval '30 days' from listings where event_id = $1) end`).join(', ')}, ${MOVED}
  from moved on conflict (event_id) do nothing`;

/** A canceled event is found no more, except by feeds, so that a calendar that has it learns of it. */
export const moveToCanceled = (sql: Statements, eventId: number, version: number): void =>
  sql.query(MOVE, [eventId, version]);
