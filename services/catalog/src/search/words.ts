/** Longer ones are cut, in texts and in searches alike. */
const LONGEST_WORD = 40;

/** Letters that are no letter with an accent, and are written without by who has no such key. */
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

/** Lower case, without accents, apostrophes and the forms of letters that only look different. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}|['’‘ʼ`]/gu, '')
    .replace(/[ßæœøłđðþıħ]/g, (letter) => PLAIN[letter]!);

/** Words with what joins them, `go-go`, `r&b`, `9:30`; or one pictograph. */
const CHUNK = /[\p{L}\p{N}\p{Mc}]+(?:[-.&/:+_][\p{L}\p{N}\p{Mc}]+)*|\p{Extended_Pictographic}/gu;
const JOINERS = /[-.&/:+_]/;
/** Written without blanks: every two letters are a word. */
const UNBROKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

function lettersInPairs(word: string): string[] {
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at]! + letter);
}

const cut = (word: string): string => [...word].slice(0, LONGEST_WORD).join('');
const partsOf = (chunk: string): string[] =>
  chunk.split(JOINERS).flatMap((part) => (UNBROKEN.test(part) ? lettersInPairs(part) : [cut(part)]));

/** The words that somebody searches for, in their order. */
export const searchedWords = (text: string): string[] =>
  [...fold(text).matchAll(CHUNK)].flatMap(([chunk]) => partsOf(chunk));

/** The words under which a text is found, each once: with `go-go` also `gogo`. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [chunk] of fold(text).matchAll(CHUNK)) {
    const parts = partsOf(chunk);
    for (const part of parts) words.add(part);
    if (JOINERS.test(chunk)) words.add(cut(chunk.replaceAll(new RegExp(JOINERS, 'g'), '')));
  }
  return [...words];
}

/** A tag as it is compared: `#LiveDJ` and `livedj` are one. */
export const tagKey = (tag: string): string => cut(fold(tag).replace(/[^\p{L}\p{N}\p{Mc}]/gu, ''));

/** `#LiveDJ` is found by `live`, `dj` and `livedj`. */
export const wordsOfTag = (tag: string): string[] =>
  wordsOf(tag.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '-'));
