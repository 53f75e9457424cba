import { batcher } from '@beltway/kit/batcher';
import type { Queryable } from '@beltway/kit/postgres';
import { editDistance } from '@beltway/places/edit-distance';
import { searchedWords, tagKey } from './words.ts';

/** Lexemes that stand for a word together; `begins`: any lexeme that begins so. */
interface Alternative {
  all: string[];
  begins?: true;
}

/** What a searched word may stand for in a document. */
export interface WordGroup {
  /** Marks such as `#free` stand for themselves, in whatever field. */
  isMark?: true;
  whole: Alternative[];
  /** While it is typed: what it may become. */
  begun: Alternative[];
}

/** More are passed over, so that what a search costs is bounded. */
const MOST_WORDS = 10;
const MOST_COMPLETIONS = 12;
const MOST_GUESSES = 6;
/** Words of one search that are corrected. Each may take longer than all the rest of it. */
const MOST_CORRECTED = 5;
/** Shorter beginnings are found by the index alone. */
const LEAST_COMPLETED = 3;

/** Not searched for beside other words: they stand in every text. */
const FILLERS = new Set('a an and at by for from in of on or the to with near around'.split(' '));

interface Word {
  text: string;
  isTag: boolean;
  /** The last one, which may be half typed. */
  isLast: boolean;
}

/** The words of a search; `#roof` is the beginning of a tag. */
function wordsIn(text: string): Word[] {
  const words = text.split(/\s+/).flatMap((part) => {
    if (/^#[\p{L}\p{N}]/u.test(part)) return [{ text: tagKey(part), isTag: true }];
    return searchedWords(part).map((word) => ({ text: word, isTag: false }));
  });
  const wanted = words.filter((word) => word.isTag || !FILLERS.has(word.text));
  const kept = (wanted.length > 0 ? wanted : words).slice(0, MOST_WORDS);
  // A filler that is typed last may be the beginning of something else.
  const last = words.at(-1);
  const isOpen = !/\s$/.test(text) && last === kept.at(-1);
  return kept.map((word, at) => ({ ...word, isLast: isOpen && at === kept.length - 1 }));
}

/** What is asked of the known words for one search: which of these are known, and what a beginning may become. */
interface KnownRequest {
  words: readonly string[];
  begins: string | null;
}
interface KnownWords {
  /** Lexemes by the place of their word. */
  lexemes: ReadonlyMap<number, string>;
  completions: readonly string[];
}

interface KnownWord {
  word: string;
  lexeme: string;
}

/** What is looked up to understand words. */
export interface LookUps {
  known(request: KnownRequest): Promise<KnownWords>;
  /** Known words that look like this one. `byTrigrams`: also by their trigrams. */
  similar(word: string, byTrigrams: boolean): Promise<readonly KnownWord[]>;
  /** Those of these words that are known. */
  whole(words: readonly string[]): Promise<readonly KnownWord[]>;
}

const KNOWN = `
  select asked.request::int, asked.at::int, known.lexeme
  from unnest($1::int[], $2::int[], $3::text[]) asked (request, at, word), lateral (select search_lexeme(asked.word) as lexeme) known
  where exists (select from search_words w where w.lexeme = known.lexeme)
  union all
  select begun.request::int, null, completed.lexeme
  from unnest($4::int[], $5::text[], $6::text[]) begun (request, word, until), lateral (
    select lexeme from search_words where word ~>=~ begun.word and word ~<~ begun.until
    order by length(word), word limit ${MOST_COMPLETIONS}) completed`;

/** The known words of several searches by one statement. */
async function knownWords(db: Queryable, requests: readonly KnownRequest[]): Promise<KnownWords[]> {
  const asked = requests.flatMap(({ words }, request) => words.map((word, at) => ({ request, at, word })));
  const begun = requests.flatMap(({ begins }, request) => (begins === null ? [] : [{ request, begins }]));
  const { rows } = await db.query<{ request: number; at: number | null; lexeme: string }>(KNOWN, [
    asked.map(({ request }) => request),
    asked.map(({ at }) => at),
    asked.map(({ word }) => word),
    begun.map(({ request }) => request),
    begun.map(({ begins }) => begins),
    begun.map(({ begins }) => `${begins}\u{10ffff}`),
  ]);
  const found = requests.map(() => ({ lexemes: new Map<number, string>(), completions: [] as string[] }));
  for (const { request, at, lexeme } of rows) {
    if (at === null) found[request]!.completions.push(lexeme);
    else found[request]!.lexemes.set(at, lexeme);
  }
  return found;
}

const SIMILAR = `
  select word, lexeme from (
    select word, lexeme from search_words where deletes && search_deletes($1::text)
    union select word, lexeme from search_words where $2::bool and word % $1::text) near
  order by similarity(word, $1::text) desc, word limit 100`;

const WORDS = `select word, lexeme from search_words where word = any($1::text[])`;

/** Of three letters only those are corrected that lack one. */
const mistakesIn = (word: string): number => (word.length >= 7 ? 2 : word.length >= 3 ? 1 : 0);

/** Looks up at once, for one search. */
const lookUpsOf = (db: Queryable): LookUps => ({
  known: async (request) => (await knownWords(db, [request]))[0]!,
  similar: async (word, byTrigrams) => (await db.query<KnownWord>(SIMILAR, [word, byTrigrams])).rows,
  whole: async (words) => (await db.query<KnownWord>(WORDS, [words])).rows,
});

const MOST_IN_BATCH = 200;

/**
 * Looks up for many searches at once: known words of all of them by one statement, and each word that is not known once. One statement at
 * a time. For a moment only: words that are learnt meanwhile are not seen.
 */
export function batchedLookUps(db: Queryable): LookUps {
  const single = lookUpsOf(db);
  const known = batcher((requests: KnownRequest[]) => knownWords(db, requests), {
    concurrency: 1,
    maxConcurrency: 1,
    maxItems: MOST_IN_BATCH,
  });
  let last: Promise<unknown> = Promise.resolve();
  const remembered = new Map<string, Promise<readonly KnownWord[]>>();
  const once = (key: string, ask: () => Promise<readonly KnownWord[]>) => {
    const before = remembered.get(key);
    if (before) return before;
    const answer = last.then(ask);
    last = answer.catch(() => undefined);
    remembered.set(key, answer);
    return answer;
  };
  return {
    known: (request) => known.add(request),
    similar: (word, byTrigrams) => once(`similar ${word}`, () => single.similar(word, byTrigrams)),
    whole: (words) => once(`whole ${words.join(' ')}`, () => single.whole(words)),
  };
}

/** What a word that nobody wrote was meant to be: the known words with the fewest mistakes, or two that it is made of. */
async function guess(lookUps: LookUps, word: string): Promise<Alternative[]> {
  const most = mistakesIn(word);
  if (most === 0) return [];
  const similar = await lookUps.similar(word, word.length >= 7);
  const near = similar
    .map(({ word: known, lexeme }) => ({ known, lexeme, mistakes: editDistance(word, known, most) }))
    .filter(({ known, mistakes }) => mistakes <= most && (mistakes < 2 || known[0] === word[0]));
  const least = Math.min(...near.map(({ mistakes }) => mistakes));
  const best = near.filter(({ mistakes }) => mistakes === least);
  const lexemes = [...new Set(best.map(({ lexeme }) => lexeme))].slice(0, MOST_GUESSES);
  if (lexemes.length > 0) return lexemes.map((lexeme) => ({ all: [lexeme] }));
  return splits(lookUps, word);
}

const LEAST_PART = 2;
const MOST_SPLITS = 2;

const unequal = ([one = '', other = '']: string[]) => Math.abs(one.length - other.length);

/** A word as two known ones, the most equal parts first: `silverspring`. */
async function splits(lookUps: LookUps, word: string): Promise<Alternative[]> {
  const pairs = Array.from({ length: Math.max(word.length - 2 * LEAST_PART + 1, 0) }, (_, at) => [
    word.slice(0, at + LEAST_PART),
    word.slice(at + LEAST_PART),
  ]);
  if (pairs.length === 0) return [];
  const whole = await lookUps.whole(pairs.flat());
  const lexemes = new Map(whole.map((known) => [known.word, known.lexeme]));
  return pairs
    .filter((pair) => pair.every((part) => lexemes.has(part)))
    .toSorted((one, other) => unequal(one) - unequal(other))
    .slice(0, MOST_SPLITS)
    .map((pair) => ({ all: pair.map((part) => lexemes.get(part)!) }));
}

/**
 * What each word of a search may stand for: itself in all its forms, as one word with its neighbor (`go go`), what the last one may
 * become, and a word that nobody wrote what it was probably meant to be. Null: there is a word that nothing can be found by.
 */
export const readWords = (db: Queryable, text: string): Promise<WordGroup[] | null> => readWordsBy(lookUpsOf(db), text);

/** The same by these look-ups. */
export async function readWordsBy(lookUps: LookUps, text: string): Promise<WordGroup[] | null> {
  const words = wordsIn(text);
  if (words.length === 0) return [];
  const pairs = words.slice(1).map((word, at) => words[at]!.text + word.text);
  const pairAt = (at: number) => (at < 0 ? undefined : known.get(words.length + at));
  const last = words.at(-1)!;
  const begins = last.isLast && !last.isTag && [...last.text].length >= LEAST_COMPLETED ? last.text : null;
  const { lexemes: known, completions } = await lookUps.known({
    words: [...words.map((word) => word.text), ...pairs],
    begins,
  });

  let corrected = 0;
  const correct = async (word: string) => (++corrected > MOST_CORRECTED ? [] : guess(lookUps, word));
  const groupOf = async (word: Word, at: number): Promise<WordGroup> => {
    if (word.isTag)
      return {
        isMark: true,
        whole: [{ all: [word.text] }],
        begun: word.isLast ? [{ all: [word.text], begins: true }] : [],
      };
    const lexemes = [known.get(at), pairAt(at - 1), pairAt(at)];
    const whole = [...new Set(lexemes)].flatMap((lexeme) => (lexeme === undefined ? [] : [{ all: [lexeme] }]));
    if (!word.isLast) return { whole: whole.length > 0 ? whole : await correct(word.text), begun: [] };
    const begun = [
      ...[...new Set(completions)].map((lexeme) => ({ all: [lexeme] })),
      { all: [word.text], begins: true as const },
    ];
    const isUnknown = whole.length === 0 && begins !== null && completions.length === 0;
    return { whole: isUnknown ? await correct(word.text) : whole, begun };
  };
  // One after the other: a search of many misspelt words leaves the other connections to others.
  const groups: WordGroup[] = [];
  for (const [at, word] of words.entries()) {
    const group = await groupOf(word, at);
    if (group.whole.length === 0 && group.begun.length === 0) return null;
    groups.push(group);
  }
  return groups;
}
