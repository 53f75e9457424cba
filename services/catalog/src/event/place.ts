import type { EventPlace } from '@beltway/contracts/catalog/events';
import type { RowOf } from '@beltway/kit/columns';
import { statement } from '../db.ts';
import type { listings } from '../generated/tables.ts';
import type { Statements } from '@beltway/event-store';
import { findPlace, isApproximate, type FoundPlace } from '@beltway/places/find';
import type { Of } from '@beltway/kit/kysely';

/** The place of a location, if the gazetteer recognizes it. */
export const placeIn = (location: string): FoundPlace | null => findPlace(location);

/**
 * The columns of a listing about its place. An approximate position is the position of the surrounding town or quarter.
 */
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

/** Whether the gazetteer has the location itself, not only the town or quarter around it. */
const isSure = (location: string): boolean => {
  const found = placeIn(location);
  return found !== null && found.match !== 'within';
};

/** The queue of locations to look up (src/location/locate.ts). */
export const LOOKUPS = 'location-lookup';

const QUEUE = statement((db, of: Of<{ location: string }>) =>
  db
    .insertInto('jobs')
    .values({ queue: LOOKUPS, key: of('location') })
    .onConflict((conflict) =>
      conflict.columns(['queue', 'key']).doUpdateSet((eb) => ({ priority: eb.ref('jobs.priority') })),
    ),
);
const QUEUE_NEW = statement((db, of: Of<{ location: string }>) =>
  db
    .insertInto('jobs')
    .values({ queue: LOOKUPS, key: of('location') })
    .onConflict((conflict) => conflict.columns(['queue', 'key']).doNothing()),
);

/**
 * If the gazetteer does not have the location itself, queues its lookup. Call this function before the listing is
 * written: it locks the job until the commit, so that a result stored later also updates this listing. `ifNew`: queues
 * the lookup only if there is no job for the location, and takes no lock.
 */
export function queueLookup(sql: Statements, location: string, { ifNew = false } = {}): void {
  if (isSure(location)) return;
  const { text, values } = ifNew ? QUEUE_NEW : QUEUE;
  sql.query(text, values({ location }));
}

const PLACE_LOCATED = statement((db, of: Of<{ eventId: number }>) =>
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

/** If the geocoding service has found the location of a listing that was just written, sets the listing's position. */
export const placeLocated = (sql: Statements, eventId: number): void =>
  sql.query(PLACE_LOCATED.text, PLACE_LOCATED.values({ eventId }));

/** The place in the API's format; null if the event has no position. */
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
