/** Longer words are truncated, in texts and in searches. */
const LONGEST_WORD = 40;

/** Letters that are not accented forms of other letters, and how people type them on keyboards that lack them. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};

/** Text in lower case, without accents and apostrophes, and with look-alike letter forms unified. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}|['’‘ʼ`]/gu, '')
    .replace(/[ßæœøłđðþıħ]/g, (letter) => PLAIN[letter]!);

/** Matches a word, also with joiners (`go-go`, `r&b`, `9:30`), or one pictograph. */
const CHUNK = /[\p{L}\p{N}\p{Mc}]+(?:[-.&/:+_][\p{L}\p{N}\p{Mc}]+)*|\p{Extended_Pictographic}/gu;
const JOINERS = /[-.&/:+_]/;
/** Scripts without blanks between words: every two characters count as a word. */
const UNBROKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

function lettersInPairs(word: string): string[] {
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at]! + letter);
}

const cut = (word: string): string => [...word].slice(0, LONGEST_WORD).join('');
const partsOf = (chunk: string): string[] =>
  chunk.split(JOINERS).flatMap((part) => (UNBROKEN.test(part) ? lettersInPairs(part) : [cut(part)]));

/** The words of a search, in order. */
export const searchedWords = (text: string): string[] =>
  [...fold(text).matchAll(CHUNK)].flatMap(([chunk]) => partsOf(chunk));

/** The distinct words that find a text: `gogo` also finds `go-go`. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [chunk] of fold(text).matchAll(CHUNK)) {
    const parts = partsOf(chunk);
    for (const part of parts) words.add(part);
    if (JOINERS.test(chunk)) words.add(cut(chunk.replaceAll(new RegExp(JOINERS, 'g'), '')));
  }
  return [...words];
}

/** The normalized form of a tag: `#LiveDJ` and `livedj` are equal. */
export const tagKey = (tag: string): string => cut(fold(tag).replace(/[^\p{L}\p{N}\p{Mc}]/gu, ''));

/** The words that find a tag: `live`, `dj` and `livedj` for `#LiveDJ`. */
export const wordsOfTag = (tag: string): string[] =>
  wordsOf(tag.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '-'));
