import type { Region } from './gazetteer.ts';

const OURS: Readonly<Record<string, Region>> = {
  dc: 'DC',
  'district of columbia': 'DC',
  'washington dc': 'DC',
  'washington d c': 'DC',
  md: 'MD',
  maryland: 'MD',
  va: 'VA',
  virginia: 'VA',
};

const OTHER_STATES = new Set(
  [
    'alabama al, alaska ak, arizona az, arkansas ar, california ca, colorado co, connecticut ct, delaware de, florida fl',
    'georgia ga, hawaii hi, idaho id, illinois il, indiana in, iowa ia, kansas ks, kentucky ky, louisiana la, maine me',
    'massachusetts ma, michigan mi, minnesota mn, mississippi ms, missouri mo, montana mt, nebraska ne, nevada nv',
    'new hampshire nh, new jersey nj, new mexico nm, new york ny, north carolina nc, north dakota nd, ohio oh',
    'oklahoma ok, oregon or, pennsylvania pa, rhode island ri, south carolina sc, south dakota sd, tennessee tn, texas tx',
    'utah ut, vermont vt, west virginia wv, wisconsin wi, wyoming wy, canada ca, england uk',
  ]
    .join(', ')
    .split(', ')
    .flatMap((both) => [both.slice(0, both.lastIndexOf(' ')), both.slice(both.lastIndexOf(' ') + 1)])
    // `NE` is excluded because it is a quadrant of Washington, `MT` because it is expanded to Mount.
    .filter((name) => name !== 'ne' && name !== 'mt')
    // The state of Washington counts only as `WA`.
    .concat('wa'),
);

const COUNTRY = new Set(['usa', 'us', 'united states']);

/** The state of a ZIP code by the Postal Service's prefixes; undefined outside the region. */
function regionOfZip(zip: string): Region | undefined {
  const prefix = Number(zip.slice(0, 3));
  if (prefix === 200 || (prefix >= 202 && prefix <= 205)) return 'DC';
  if (prefix >= 206 && prefix <= 219) return 'MD';
  if (prefix === 201 || (prefix >= 220 && prefix <= 246)) return 'VA';
  return undefined;
}

/** The state, ZIP code or country at the end of a text. */
export interface Tail {
  /** The words before the state. */
  readonly words: readonly string[];
  readonly region: Region | undefined;
  /** True if the text ends with a state, country or ZIP code outside the region. */
  readonly elsewhere: boolean;
}

/** Removes state, ZIP code and country from the end of a text's words. */
export function readTail(all: readonly string[]): Tail {
  let words = all;
  let region: Region | undefined;
  for (;;) {
    const [two, one] = [words.slice(-2).join(' '), words.at(-1) ?? ''];
    const three = words.slice(-3).join(' ');
    const longest = [three, two, one].find((end) => OURS[end] || OTHER_STATES.has(end) || COUNTRY.has(end));
    if (longest !== undefined && OTHER_STATES.has(longest)) return { words, region: undefined, elsewhere: true };
    const zip = /^\d{5}$/.test(one) ? one : /^\d{5} \d{4}$/.test(two) ? two : undefined;
    if (zip !== undefined && words.length > 1) {
      const found = regionOfZip(zip);
      if (!found || (region && region !== found)) return { words, region: undefined, elsewhere: true };
      region = found;
      words = words.slice(0, -zip.split(' ').length);
    } else if (longest !== undefined) {
      const found = OURS[longest];
      if (found && region && region !== found) return { words, region: undefined, elsewhere: true };
      region = found ?? region;
      words = words.slice(0, -longest.split(' ').length);
    } else return { words, region, elsewhere: false };
  }
}
