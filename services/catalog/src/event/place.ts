import type { EventPlace } from '@beltway/contracts/catalog/events';
import type { RowOf } from '@beltway/kit/columns';
import { statement } from '../db.ts';
import type { listings } from '../generated/tables.ts';
import type { Statements } from '@beltway/event-store';
import { findPlace, isApproximate, type FoundPlace } from '@beltway/places/find';

/** The place that a location names, as far as the gazetteer is sure. */
export const placeIn = (location: string): FoundPlace | null => findPlace(location);

/** The columns of a listing about its place: where its location is. Approximate: that of the town or quarter that it lies in. */
export const PLACE = ['placeId', 'placeName', 'placeState', 'lat', 'lon', 'placeIsApproximate'] as const;
export type PlaceColumns = Pick<RowOf<typeof listings>, (typeof PLACE)[number]>;

export function placeColumnsOf(location: string): PlaceColumns {
  const found = placeIn(location);
  const place = found?.place;
  return {
    placeId: place?.id ?? null,
    placeName: place?.name ?? null,
    placeState: place?.state ?? null,
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
    placeIsApproximate: found !== null && isApproximate(found),
  };
}

/** The gazetteer knows the location itself, not only what it lies within. */
const isSure = (location: string): boolean => {
  const found = placeIn(location);
  return found !== null && found.match !== 'within';
};

/** The queue of locations that are looked up (src/location/locate.ts). */
export const LOOKUPS = 'location-lookup';

const QUEUE = statement<{ location: string }>((db, of) =>
  db
    .insertInto('jobs')
    .values({ queue: LOOKUPS, key: of('location') })
    .onConflict((conflict) =>
      conflict.columns(['queue', 'key']).doUpdateSet((eb) => ({ priority: eb.ref('jobs.priority') })),
    ),
);
const QUEUE_NEW = statement<{ location: string }>((db, of) =>
  db
    .insertInto('jobs')
    .values({ queue: LOOKUPS, key: of('location') })
    .onConflict((conflict) => conflict.columns(['queue', 'key']).doNothing()),
);

/**
 * Queues the lookup of a location that the gazetteer is not sure of. Before its listing is written: the job stays locked until the commit,
 * and an answer that is written then places this listing too. `ifNew`: without the lock.
 */
export function queueLookup(sql: Statements, location: string, { ifNew = false } = {}): void {
  if (isSure(location)) return;
  const { text, values } = ifNew ? QUEUE_NEW : QUEUE;
  sql.query(text, values({ location }));
}

const PLACE_LOCATED = statement<{ eventId: number }>((db, of) =>
  db
    .updateTable('listings')
    .from('located as found')
    .set((eb) => ({
      ...{ placeId: null, placeIsApproximate: false, placeName: eb.ref('found.location') },
      ...{ placeState: eb.ref('found.state'), lat: eb.ref('found.lat'), lon: eb.ref('found.lon') },
    }))
    .where('listings.eventId', '=', of('eventId'))
    .whereRef('found.location', '=', 'listings.location'),
);

/** Places a listing that was just written where the geocoding service found its location. */
export const placeLocated = (sql: Statements, eventId: number): void =>
  sql.query(PLACE_LOCATED.text, PLACE_LOCATED.values({ eventId }));

/** The place as the API answers it; null when nobody can say for sure where the event is. */
export function shownPlace({
  placeId,
  placeName,
  placeState,
  lat,
  lon,
  placeIsApproximate,
}: PlaceColumns): EventPlace | null {
  if (placeName === null || lat === null || lon === null) return null;
  return {
    ...(placeId !== null && { id: placeId }),
    name: placeName,
    lat,
    lon,
    state: placeState as EventPlace['state'],
    ...(placeIsApproximate && { isApproximate: true }),
  };
}
