// No zod here: the page shows how a search is understood while it is typed.
import { todayRange, tomorrowRange, tonightRange, weekendRange, type TimeRange } from '../common/day-ranges.ts';
import { plainNumber } from '../common/typed-number.ts';

/** Characters of a search at most. */
export const LONGEST_SEARCH = 200;

/** What a search in words asks for (services/catalog/PRODUCT.md#words-that-are-filters). */
export interface SearchText {
  /** What is left to search for. */
  words: string;
  free: boolean;
  maxPriceCents: number | null;
  range: TimeRange | null;
}

type Said = Partial<Omit<SearchText, 'words'>>;
type Rule = [phrase: RegExp, means: (now: Date, amount: string) => Said];

/** Whole words only, with a blank or an end on both sides; `#free` is a tag, and stays one. */
const phrase = (words: string) => new RegExp(`(?<=^|\\s)(?:${words})[,.!?]?(?=\\s|$)`, 'iu');

/** As `plainNumber` reads it: up to 999,999.99. */
const AMOUNT = '(?:[1-9]\\d{0,2},\\d{3}(?:\\.\\d{1,2})?|\\d{1,6}(?:[.,]\\d{1,2})?)';

const RULES: readonly Rule[] = [
  [phrase('this week-?end'), (now) => ({ range: weekendRange(now) })],
  [phrase('tonight|this evening'), (now) => ({ range: tonightRange(now) })],
  [phrase('today'), (now) => ({ range: todayRange(now) })],
  [phrase('tomorrow'), (now) => ({ range: tomorrowRange(now) })],
  [
    phrase(`(?:under|below|less than|up to) (?:\\$ ?(${AMOUNT})|(${AMOUNT}) ?(?:dollars|bucks|usd))`),
    (_now, amount) => ({ maxPriceCents: Math.round(Number(plainNumber(amount)) * 100) }),
  ],
  [phrase('(?:for )?free(?: entry| admission| entrance)?'), () => ({ free: true })],
];

/**
 * Takes the words that say a time or a price out of a search: "free jazz tonight" is what is free tonight, with the word jazz. Text in
 * double quotes is left as it is. Each kind is understood once; a second one is searched for.
 */
export function readSearchText(text: string, now: Date): SearchText {
  const found: SearchText = { words: '', free: false, maxPriceCents: null, range: null };
  const parts = text.split(/"([^"]*)"?/);
  // Every second part stood in quotes.
  const left = parts.map((part, at) => {
    if (at % 2 === 1) return part;
    let rest = part;
    for (const [words, means] of RULES) {
      const match = words.exec(rest);
      if (!match) continue;
      const said = means(now, match[1] ?? match[2] ?? '');
      if (Object.keys(said).some((kind) => found[kind as keyof Said])) continue;
      Object.assign(found, said);
      rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    }
    return rest;
  });
  found.words = left.join(' ').replace(/\s+/g, ' ').trim();
  return found;
}
