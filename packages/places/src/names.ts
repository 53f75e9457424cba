/** Longer texts are no name of a place; the catalog's longest location is 200 characters. */
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
 * The words of a text in the form in which names are compared: lower case, without accents, apostrophes and
 * punctuation, `Street` and its kin spelt in one way, `and` left out. At most `NAME_MAX` characters are read.
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
