/** Maximum length of a place name. The longest location in the catalog has 200 characters. */
export const NAME_MAX = 300;

const SPELLINGS = new Map<string, string>([
  ['street', 'st'],
  ['saint', 'st'],
  ['avenue', 'ave'],
  ['av', 'ave'],
  ['road', 'rd'],
  ['boulevard', 'blvd'],
  ['drive', 'dr'],
  ['sq', 'square'],
  ['mt', 'mount'],
  ['ft', 'fort'],
  ['hts', 'heights'],
  ['ctr', 'center'],
  ['centre', 'center'],
  ['theatre', 'theater'],
  ['amphitheatre', 'amphitheater'],
  ['univ', 'university'],
  ['northwest', 'nw'],
  ['northeast', 'ne'],
  ['southwest', 'sw'],
  ['southeast', 'se'],
  ['neighbourhood', 'neighborhood'],
]);

/**
 * The words of a text, normalized for comparison: lowercase, without accents, apostrophes and punctuation, with one
 * spelling for variants such as `St` and `Street`, and without `and`. Reads at most `NAME_MAX` characters.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, NAME_MAX)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|['’‘`]|(?<=\p{L})\.|(?<=\d):(?=\d)/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .slice(0, NAME_MAX);
  return plain
    .split(' ')
    .filter((word) => word !== '' && word !== 'and')
    .map((word) => SPELLINGS.get(word) ?? word);
}
