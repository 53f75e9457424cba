import { distanceMeters } from './distance.ts';
import { editDistance } from './edit-distance.ts';
import { type Place, PLACE_KINDS, PLACES, type Region } from './gazetteer.ts';
import { NAME_MAX, wordsOf } from './names.ts';
import { readTail } from './regions.ts';

/** The place found in a text, and how the text matches it. */
export interface FoundPlace {
  readonly place: Place;
  /**
   * `name`: the text names the place. `typo`: the text misspells its name. `within`: the text names something unknown,
   * followed by the surrounding place (`Jo's Bar, Leesburg, VA`), so the position is the surrounding place's position.
   */
  readonly match: 'name' | 'typo' | 'within';
}

/** Kinds of places that contain no other places. */
const SPOTS = new Set<Place['kind']>(['venue', 'museum', 'station']);
export const isSpot = ({ kind }: Place): boolean => SPOTS.has(kind);

/** True if only the town or neighborhood of a text is known: `Jo's Bar, Leesburg, VA`, `Washington, DC`. */
export const isApproximate = ({ place, match }: FoundPlace): boolean =>
  place.id === 'washington-dc' || (match === 'within' && !isSpot(place));

/** Maximum distance in meters between a venue and the town in the text. It is large because postal towns extend far. */
const SAME_TOWN_M = 15_000;

/** Two places with the same name within this distance, in meters, are the same spot. */
const SAME_SPOT_M = 3_000;

const SEGMENTS_MAX = 8;

/** Words that name a part of a place: `Kennedy Center Concert Hall`, `Dupont Circle fountain`. */
const PARTS = new Set(
  [
    'area building campus circle club concert entrance farmers field fountain garden gardens nature grounds hall lawn level',
    'library lobby lot lounge main market neighborhood opera outdoor outdoors park pavilion plaza restaurant room roof',
    'rooftop stage terrace theater town upstairs waterfront center civic community district downtown dmv metro north',
    'south east west floor food gallery historic hotel house inn museum school square station studio green pier marina',
  ].flatMap((line) => line.split(' ')),
);

const STREET_ENDS = new Set(['st', 'ave', 'rd', 'blvd', 'dr', 'nw', 'ne', 'sw', 'se']);
const PREPOSITIONS = new Set(['near', 'at', 'by', 'in', 'inside', 'around', 'off', 'outside', 'the', 'downtown']);
const STATION_ENDS = [['metro', 'station'], ['metrorail', 'station'], ['metro'], ['station'], ['metro', 'stop']];

interface Name {
  readonly place: Place;
  readonly key: string;
  readonly letters: number;
}

/** A bit set of the letters and digits in a text, used to skip most names without comparing characters. */
function lettersIn(key: string): number {
  let bits = 0;
  for (let i = 0; i < key.length; i++) bits |= 1 << (key.charCodeAt(i) & 31);
  return bits;
}

function bitsIn(number: number): number {
  let count = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Letters and digits only, because hashtags have no spaces: `UStreet`, `silverspring`. */
const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

const byKey = new Map<string, Place[]>();
const byCompact = new Map<string, Place[]>();
const names: Name[] = [];

function add<K>(map: Map<K, Place[]>, key: K, place: Place) {
  const places = map.get(key);
  if (!places) map.set(key, [place]);
  else if (!places.includes(place)) places.push(place);
}

for (const place of PLACES) {
  for (const name of [place.name, ...place.otherNames]) {
    const words = wordsOf(name);
    // The name of a street does not identify the station on it; the text must name the station itself
    // (`STATION_ENDS`).
    const street = place.kind === 'station' && STREET_ENDS.has(words.at(-1)!);
    const bare = words[0] === 'the' && words.length > 2 ? [words.slice(1)] : [];
    for (const form of [words, ...bare]) {
      const key = form.join(' ');
      if (street) {
        add(byKey, `${key} metro`, place);
        continue;
      }
      add(byKey, key, place);
      add(byCompact, form.join(''), place);
      add(byCompact, lettersOf(name), place);
      names.push({ place, key, letters: lettersIn(key) });
    }
  }
}

const digits = (key: string) => key.replace(/\D+/g, ' ').trim();
const shortWords = (key: string) =>
  key
    .split(' ')
    .filter((word) => word.length <= 2)
    .join(' ');

/**
 * Places whose name differs by a small typo, except in its first letter. Returns several places if their names are
 * equally similar.
 */
function misspelt(key: string): Place[] {
  if (key.length < 6 || key.length > 60) return [];
  const letters = lettersIn(key);
  let least = 3;
  let found: { place: Place; at: string }[] = [];
  for (const name of names) {
    const max = name.key.length >= 12 ? 2 : name.key.length >= 6 ? 1 : 0;
    if (max === 0 || Math.abs(name.key.length - key.length) > max) continue;
    // Each edit changes at most two letters.
    if (bitsIn(letters ^ name.letters) > 2 * max) continue;
    const distance = editDistance(key, name.key, max);
    if (distance > max || distance > least) continue;
    // Digits and short words must be equal: `14th` is not `16th`, and `H Street` is not `U Street`.
    if (digits(key) !== digits(name.key) || shortWords(key) !== shortWords(name.key)) continue;
    if (distance < least) found = [];
    least = distance;
    found.push({ place: name.place, at: name.key[0]! });
  }
  return found.some(({ at }) => at !== key[0]) ? [] : found.map(({ place }) => place);
}

const only = (places: readonly Place[] | undefined, region: Region | undefined) =>
  (places ?? []).filter(({ state }) => region === undefined || state === region);

/** Selects the intended place among several with the same name; undefined if ambiguous. */
function choose(places: readonly Place[], towns: readonly Place[]): Place | undefined {
  const possible = places.filter((place) => towns.every((town) => distanceMeters(place, town) <= SAME_TOWN_M));
  const [best] = possible.toSorted((a, b) => PLACE_KINDS.indexOf(a.kind) - PLACE_KINDS.indexOf(b.kind));
  if (!best) return undefined;
  const apart = possible.some(
    (place) => place.kind !== 'station' && place !== best && distanceMeters(place, best) > SAME_SPOT_M,
  );
  return apart ? undefined : best;
}

interface Hit {
  readonly places: readonly Place[];
  readonly match: FoundPlace['match'];
}

/** Places that a segment names exactly, even with a station suffix or a prefix such as `the`. */
function exactly(words: readonly string[], region: Region | undefined): readonly Place[] {
  const key = words.join(' ');
  const named = only(byKey.get(key), region);
  if (named.length > 0) return named;
  for (const end of STATION_ENDS) {
    if (words.length <= end.length || end.some((word, i) => words[words.length - end.length + i] !== word)) continue;
    const name = words.slice(0, -end.length).join(' ');
    const at = [...(byKey.get(name) ?? []), ...(byKey.get(`${name} metro`) ?? [])];
    const stations = only(at, region).filter(({ kind }) => kind === 'station');
    if (stations.length > 0) return stations;
  }
  const compact = words.join('');
  if (compact.length >= 5) {
    const joined = only(byCompact.get(compact), region);
    if (joined.length > 0) return joined;
  }
  const end = words.at(-1)!;
  if (words.length > 1 && /^[ns][ew]$/.test(end) && !STREET_ENDS.has(words.at(-2)!)) {
    return exactly(words.slice(0, -1), 'DC').filter(({ state }) => region === undefined || state === region);
  }
  if (words.length > 1 && PREPOSITIONS.has(words[0]!)) return exactly(words.slice(1), region);
  if (words.length > 1 && (end === 'area' || end === 'neighborhood')) return exactly(words.slice(0, -1), region);
  return [];
}

function lookUp(words: readonly string[], region: Region | undefined): Hit | undefined {
  const named = exactly(words, region);
  if (named.length > 0) return { places: named, match: 'name' };
  for (let length = words.length - 1; length >= 2; length--) {
    if (!PARTS.has(words[length]!)) break;
    const whole = only(byKey.get(words.slice(0, length).join(' ')), region);
    if (whole.length > 0) return { places: whole, match: 'within' };
  }
  const near = only(misspelt(words.join(' ')), region);
  return near.length > 0 ? { places: near, match: 'typo' } : undefined;
}

const isAddress = (words: readonly string[]) => words.some((word) => /\d/.test(word));
const isPart = (words: readonly string[]) => words.every((word) => PARTS.has(word));

/**
 * The words between commas, brackets and similar characters. An `at` between two names also separates them (`isAt`).
 */
function segmentsOf(text: string): { segments: string[][]; isAt: boolean } {
  let isAt = text.includes('@');
  const parts = text
    .split(/[,;|/()[\]\n\r\t–—•·@]|\s-+\s/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
  const segments = parts.flatMap((words) => {
    const at = words.indexOf('at');
    const name = at > 0 && at < words.length - 1 && !byKey.has(readTail(words).words.join(' '));
    isAt ||= name;
    return name ? [words.slice(0, at), words.slice(at + 1)] : [words];
  });
  return { segments, isAt };
}

/**
 * Finds the place of the region that a text names. Ignores case, accents, punctuation, `St` versus `Street`, a state or
 * ZIP code after the name, and small typos. Returns null, never a guess, if the text names no place, names a place
 * outside the region, or is ambiguous. Accepts any text; a text over 300 characters is not a name.
 */
export function findPlace(text: string): FoundPlace | null {
  if (text.length > NAME_MAX) return null;
  const { segments, isAt } = segmentsOf(text);
  if (segments.length === 0 || segments.length > SEGMENTS_MAX) return null;

  let region: Region | undefined;
  const rest: (readonly string[])[] = [];
  for (const words of segments.toReversed()) {
    const tail = readTail(words);
    // Another state such as `IN` counts only at the end of the whole text: `Walk-in, Bethesda` is not in Indiana.
    const last = rest.length === 0 && region === undefined;
    if ((tail.elsewhere && last) || (tail.region && region && tail.region !== region)) return null;
    region ??= tail.region;
    // `University of Maryland` ends with a state, but the state belongs to the name.
    const name = tail.elsewhere || byKey.has(words.join(' ')) ? words : tail.words;
    if (name.length > 0) rest.unshift(name);
  }
  // A name may contain a comma: `University of Maryland, Baltimore County`. But a bar `North at Bethesda` is not in
  // North Bethesda.
  const whole = rest.length > 1 && !isAt ? lookUp(rest.flat(), region) : undefined;
  if (whole && whole.match !== 'within') {
    const place = choose(whole.places, []);
    if (place) return { place, match: whole.match };
  }

  const hits = rest.map((words) => lookUp(words, region));
  for (const [index, hit] of hits.entries()) {
    if (!hit) continue;
    const behind = hits.slice(index + 1);
    const strange = behind.some((one, i) => {
      const words = rest[index + 1 + i]!;
      return !one && !isAddress(words) && !isPart(words);
    });
    // `Union Station, Chicago` is a place outside the region with the same name.
    if (strange && region === undefined) return null;
    const towns = behind.flatMap((one) => one?.places.filter(({ kind }) => kind === 'town').slice(0, 1) ?? []);
    const place = choose(hit.places, towns);
    if (!place) {
      if (behind.some(Boolean)) continue;
      return null;
    }
    // In `Seattle, Washington`, the second name is the state.
    if (place.id === 'washington-dc' && index > 0 && region === undefined) return null;
    return { place, match: index > 0 ? 'within' : hit.match };
  }
  return null;
}
