import type { CommunityPlace } from '@beltway/contracts/realtime/community';
import { badField } from '@beltway/kit/problems';
import { findPlace } from '@beltway/places/find';
import { PLACES, type Place } from '@beltway/places/gazetteer';

const byId = new Map(PLACES.map((place) => [place.id, place]));
const towns = new Map(
  PLACES.filter(({ kind }) => kind === 'town').map((place) => [`${place.name}, ${place.state}`, place.id]),
);
const WASHINGTON = 'washington-dc';

/** The columns of a contribution about a place. */
export interface PlaceColumns {
  placeId: string | null;
  townId: string | null;
}

/**
 * The town of a place, or the place itself if the place is a town; null if unknown. All of the District counts as
 * Washington.
 */
export const townOf = ({ kind, id, city, state }: Place): string | null =>
  kind === 'town' ? id : state === 'DC' ? WASHINGTON : (towns.get(`${city}, ${state}`) ?? null);

/** The place with this id or name. Throws 400 if the gazetteer has no unambiguous match. */
export function placeNamed(text: string, field: string): Place {
  const place = byId.get(text) ?? findPlace(text)?.place;
  if (!place) throw badField(field, 'invalid.place-unknown');
  return place;
}

/** The named place. If no place is named, the event's place, if the gazetteer has an unambiguous match. */
export function placeColumns(text: string | undefined, field: string, location: string | undefined): PlaceColumns {
  const place = text === undefined ? location && findPlace(location)?.place : placeNamed(text, field);
  return place ? { placeId: place.id, townId: townOf(place) } : { placeId: null, townId: null };
}

export function shownPlace(placeId: string | null): CommunityPlace | null {
  const place = placeId === null ? undefined : byId.get(placeId);
  return place ? { id: place.id, name: place.name, state: place.state } : null;
}
