import { batcher } from '@beltway/kit/batcher';
import type { Queryable } from '@beltway/kit/postgres';
import { editDistance } from '@beltway/places/edit-distance';
import { searchedWords, tagKey } from './words.ts';

/**
 * Lexemes that must all occur for a word to match. `begins`: each lexeme of the list is a prefix, and any lexeme with
 * this prefix matches.
 */
interface Alternative {
  all: string[];
  begins?: true;
}

/** The alternatives for a searched word, any of which a document may contain. */
export interface WordGroup {
  /** Marks such as `#free` are matched literally, in any field. */
  isMark?: true;
  whole: Alternative[];
  /** Completions of a word that the user is still typing. */
  begun: Alternative[];
}

/** Words beyond this number are ignored, which bounds the cost of a search. */
const MOST_WORDS = 10;
const MOST_COMPLETIONS = 12;
const MOST_GUESSES = 6;
/** Maximum number of corrected words per search. Correcting one word may take longer than the rest of the search. */
const MOST_CORRECTED = 5;
/** The shortest prefix for which completions are looked up. For shorter prefixes the index alone finds matches. */
const LEAST_COMPLETED = 3;

/** Words that are ignored if the search has other words, because every text contains them. */
const FILLERS = new Set(
  [
    'a an and at by for from in of on or the to with near around',
    'al con cerca de del el en la las los o para por un una y',
  ].flatMap((language) => language.split(' ')),
);

/**
 * Groups of words for the same thing, such as a word that people search for and a word that organizers write. A search
 * for one word of a group also finds the other words. Spanish words find English events.
 */
const SAME = [
  'kids kid children child family families ninos nino ninas nina infantil familia familias',
  'music musica',
  'concert concerts concierto conciertos',
  'food comida',
  'dance dancing baile bailar',
  'party fiesta',
  'film movie movies cine pelicula peliculas',
  'art arte',
  'theater theatre teatro',
  'market mercado',
  'museum museo',
];
const SYNONYMS = new Map(
  SAME.flatMap((line) => {
    const words = line.split(' ');
    return words.map((word): [string, string[]] => [word, words.filter((other) => other !== word)]);
  }),
);

interface Word {
  text: string;
  isTag: boolean;
  /** Whether this is the last word, which may be incomplete. */
  isLast: boolean;
}

/** The words of a search. `#roof` is the beginning of a tag. */
function wordsIn(text: string): Word[] {
  const words = text.split(/\s+/).flatMap((part) => {
    if (/^#[\p{L}\p{N}]/u.test(part)) return [{ text: tagKey(part), isTag: true }];
    return searchedWords(part).map((word) => ({ text: word, isTag: false }));
  });
  const wanted = words.filter((word) => word.isTag || !FILLERS.has(word.text));
  const kept = (wanted.length > 0 ? wanted : words).slice(0, MOST_WORDS);
  // If the last typed word is a filler, it may be the beginning of another word.
  const last = words.at(-1);
  const isOpen = !/\s$/.test(text) && last === kept.at(-1);
  return kept.map((word, at) => ({ ...word, isLast: isOpen && at === kept.length - 1 }));
}

/**
 * A lookup in the vocabulary for one search. It finds which of these words are known, and the completions of a prefix.
 */
interface KnownRequest {
  words: readonly string[];
  begins: string | null;
}
interface KnownWords {
  /** Lexemes by the index of their word. */
  lexemes: ReadonlyMap<number, string>;
  completions: readonly string[];
}

interface KnownWord {
  word: string;
  lexeme: string;
}

export interface LookUps {
  known(request: KnownRequest): Promise<KnownWords>;
  /** Known words that are similar to this word. `byTrigrams`: also words with similar trigrams. */
  similar(word: string, byTrigrams: boolean): Promise<readonly KnownWord[]>;
  /** The words of this list that are known. */
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

/** Looks up the known words of several searches in one statement. */
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

/**
 * The number of mistakes that are corrected in a word. A word of three letters is corrected only by adding a letter.
 */
const mistakesIn = (word: string): number => (word.length >= 7 ? 2 : word.length >= 3 ? 1 : 0);

/** Lookups for one search, without batching. */
const lookUpsOf = (db: Queryable): LookUps => ({
  known: async (request) => (await knownWords(db, [request]))[0]!,
  similar: async (word, byTrigrams) => (await db.query<KnownWord>(SIMILAR, [word, byTrigrams])).rows,
  whole: async (words) => (await db.query<KnownWord>(WORDS, [words])).rows,
});

const MOST_IN_BATCH = 200;

/**
 * Lookups for many searches: one statement finds the known words of all searches, and each unknown word is looked up
 * once. Runs one statement at a time. Use the result only briefly, because it does not contain words that are added
 * later.
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

/**
 * Corrects an unknown word. Returns the known words that need the fewest corrections, or else two known words that
 * together form the unknown word.
 */
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

/** Splits a word such as `silverspring` into two known words. Splits into parts of similar length come first. */
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
 * The alternatives for each word of a search: all its forms, its compound with a neighbor (`go go`), completions of the
 * last word, and corrections of an unknown word. null if one of the words matches nothing.
 */
export const readWords = (db: Queryable, text: string): Promise<WordGroup[] | null> => readWordsBy(lookUpsOf(db), text);

/** Does the same with the given lookups. */
export async function readWordsBy(lookUps: LookUps, text: string): Promise<WordGroup[] | null> {
  const words = wordsIn(text);
  if (words.length === 0) return [];
  const pairs = words.slice(1).map((word, at) => words[at]!.text + word.text);
  const pairAt = (at: number) => (at < 0 ? undefined : known.get(words.length + at));
  const synonyms = words.flatMap(({ text, isTag }, of) =>
    isTag ? [] : (SYNONYMS.get(text) ?? []).map((word) => ({ of, word })),
  );
  const synonymsAt = (of: number) =>
    synonyms.flatMap((one, index) => (one.of === of ? known.get(words.length + pairs.length + index) : []));
  const last = words.at(-1)!;
  const begins = last.isLast && !last.isTag && [...last.text].length >= LEAST_COMPLETED ? last.text : null;
  const { lexemes: known, completions } = await lookUps.known({
    words: [...words.map((word) => word.text), ...pairs, ...synonyms.map(({ word }) => word)],
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
    const lexemes = [known.get(at), pairAt(at - 1), pairAt(at), ...synonymsAt(at)];
    const whole = [...new Set(lexemes)].flatMap((lexeme) => (lexeme === undefined ? [] : [{ all: [lexeme] }]));
    if (!word.isLast) return { whole: whole.length > 0 ? whole : await correct(word.text), begun: [] };
    const begun = [
      ...[...new Set(completions)].map((lexeme) => ({ all: [lexeme] })),
      { all: [word.text], begins: true as const },
    ];
    const isUnknown = whole.length === 0 && begins !== null && completions.length === 0;
    return { whole: isUnknown ? await correct(word.text) : whole, begun };
  };
  // Words are read one at a time, so that a search with many misspelled words leaves the other connections free.
  const groups: WordGroup[] = [];
  for (const [at, word] of words.entries()) {
    const group = await groupOf(word, at);
    if (group.whole.length === 0 && group.begun.length === 0) return null;
    groups.push(group);
  }
  return groups;
}
