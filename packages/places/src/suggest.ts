import { distanceMeters } from './distance.ts';
import { type Place, PLACES } from './gazetteer.ts';
import { REGION_CENTER } from './map/view.ts';
import { wordsOf } from './names.ts';

const SUGGESTIONS_MAX = 50;

interface Name {
  readonly place: Place;
  readonly text: string;
  /** Meters from the center of Washington. Stations have a larger value, so that they rank after their surroundings. */
  readonly far: number;
}

const names: readonly Name[] = PLACES.flatMap((place) =>
  [place.name, ...place.otherNames].map((name, index): Name => {
    const words = wordsOf(name);
    const far =
      distanceMeters(REGION_CENTER, place) + (index === 0 ? 0 : 10_000) + (place.kind === 'station' ? 5_000 : 0);
    return { place, text: (words[0] === 'the' ? words.slice(1) : words).join(' '), far };
  }),
);

/**
 * The rank of a name; lower is better. A name equal to the prefix is first, then names that begin with the prefix, then
 * names with a word that begins with the prefix. Equal ranks are sorted by distance.
 */
function score({ text, far }: Name, prefix: string): number | undefined {
  const at = text === prefix ? 0 : text.startsWith(prefix) ? 1 : text.includes(` ${prefix}`) ? 2 : undefined;
  return at === undefined ? undefined : at * 1e6 + far;
}

/**
 * Suggests places with a name, or a word of a name, that begins with the typed text. The nearest to the center of
 * Washington come first. Returns each place once, at most `limit` (and never more than 50), and none for an empty text.
 */
export function suggestPlaces(typed: string, limit = 8): Place[] {
  const words = wordsOf(typed);
  const prefix = (words[0] === 'the' && words.length > 1 ? words.slice(1) : words).join(' ');
  if (prefix === '') return [];
  const best = new Map<Place, number>();
  for (const name of names) {
    const points = score(name, prefix);
    if (points !== undefined && points < (best.get(name.place) ?? Infinity)) best.set(name.place, points);
  }
  return [...best]
    .sort(([a, x], [b, y]) => x - y || a.id.localeCompare(b.id))
    .slice(0, Math.max(0, Math.min(Math.trunc(limit) || 0, SUGGESTIONS_MAX)))
    .map(([place]) => place);
}
