/** Maximum number of words in a search. Further words are ignored, which limits the cost of a search. */
const MAX_WORDS = 6;

/** Folds a text as `fold_text` in the database does: lower case, without accents, apostrophes and hyphens. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll('-', ' ')
    .replace(/[\u0300-\u036f'’‘ʼ`]/g, '');

const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * Patterns for a search. They match a text that contains the whole search. They also match if each word of the search
 * is the beginning of a word of the text, in any order.
 */
export interface WordPatterns {
  whole: string;
  /** Empty for a search of one word. */
  each: string[];
}

export function patternsOf(search: string): WordPatterns {
  const folded = foldText(search);
  const words = folded.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  // If a search consists of apostrophes only, the folded text is empty. Such a search must find no text, instead of
  // every text.
  const whole = words.length === 0 ? search.toLowerCase() : folded;
  return {
    whole: `%${literally(whole)}%`,
    each: words.length > 1 ? words.map((word) => `% ${literally(word)}%`) : [],
  };
}

/** The condition on a folded text. `value` adds a value and returns its placeholder. */
export function matchesPatterns(
  text: string,
  { whole, each }: WordPatterns,
  value: (pattern: string) => string,
): string {
  const all = each.map((pattern) => `${text} like ${value(pattern)}`);
  return `(${[`${text} like ${value(whole)}`, ...(all.length > 0 ? [`(${all.join(' and ')})`] : [])].join(' or ')})`;
}
