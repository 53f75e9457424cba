import { distanceMeters } from './distance.ts';
import { type Place, PLACES } from './gazetteer.ts';
import { REGION_CENTER } from './map/view.ts';
import { wordsOf } from './names.ts';

const SUGGESTIONS_MAX = 50;

interface Name {
  readonly place: Place;
  readonly text: string;
  /** Metres from the middle of Washington; a station stands behind all of its surroundings. */
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

/** Lower is better: is it, begins with it, has a word that begins with it; then the nearer one. */
function score({ text, far }: Name, prefix: string): number | undefined {
  const at = text === prefix ? 0 : text.startsWith(prefix) ? 1 : text.includes(` ${prefix}`) ? 2 : undefined;
  return at === undefined ? undefined : at * 1e6 + far;
}

/**
 * Places whose name, or a word of it, begins with what was typed: the nearest to the middle of Washington first, each once, at most `limit` (and
 * never more than 50). Nothing for an empty text.
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
