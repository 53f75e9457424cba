import type { EventPlace } from '@beltway/contracts/catalog';
import { findPlace, type FoundPlace } from '@beltway/places/find';

/** The place that a location names, as far as the gazetteer is sure. */
export const placeIn = (location: string): FoundPlace | null => findPlace(location);

/** Columns of a listing about its place. */
export interface PlaceColumns {
  placeId: string | null;
  placeName: string | null;
  placeState: string | null;
  lat: number | null;
  lon: number | null;
}

export function placeColumnsOf(location: string): PlaceColumns {
  const place = placeIn(location)?.place;
  return {
    placeId: place?.id ?? null,
    placeName: place?.name ?? null,
    placeState: place?.state ?? null,
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
  };
}

/** The place as the API answers it; null when nobody can say for sure where the event is. */
export function shownPlace({ placeId, placeName, placeState, lat, lon }: PlaceColumns): EventPlace | null {
  if (placeName === null || lat === null || lon === null) return null;
  return {
    ...(placeId !== null && { id: placeId }),
    name: placeName,
    lat,
    lon,
    state: placeState as EventPlace['state'],
  };
}
