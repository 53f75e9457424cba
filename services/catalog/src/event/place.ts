import type { EventPlace } from '@beltway/contracts/catalog/events';
import type { RowOf } from '@beltway/kit/columns';
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

/**
 * Queues the lookup of a location that the gazetteer is not sure of. Before its listing is written: the job stays locked until the commit,
 * and an answer that is written then places this listing too. `ifNew`: without the lock.
 */
export function queueLookup(sql: Statements, location: string, { ifNew = false } = {}): void {
  if (isSure(location)) return;
  const otherwise = ifNew ? 'nothing' : 'update set priority = jobs.priority';
  sql.query(`insert into jobs (queue, key) values ('${LOOKUPS}', $1) on conflict (queue, key) do ${otherwise}`, [
    location,
  ]);
}

/** Places a listing that was just written where the geocoding service found its location. */
export const placeLocated = (sql: Statements, eventId: number): void =>
  sql.query(
    `update listings set place_id = null, place_name = found.location, place_state = found.state,
       lat = found.lat, lon = found.lon, place_is_approximate = false
     from located found where event_id = $1 and found.location = listings.location`,
    [eventId],
  );

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
