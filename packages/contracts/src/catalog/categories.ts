// No zod here: the frontend displays categories before it loads a schema library.

/** The six Metro lines; each category has the color of one of them. */
export const METRO_LINES = ['red', 'orange', 'silver', 'blue', 'yellow', 'green'] as const;
export type MetroLine = (typeof METRO_LINES)[number];

export const CATEGORY_NAMES = ['music', 'food', 'nightlife', 'arts', 'sports', 'family', 'community', 'other'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];

interface Category {
  name: CategoryName;
  line: MetroLine;
  /** The name on screen. */
  label: string;
  /** Matches the start of a tag. */
  words: RegExp;
}

/** The first category whose words match a tag wins. Categories of the same Metro line are listed together. */
export const CATEGORIES: readonly Category[] = [
  {
    name: 'music',
    line: 'red',
    label: 'Music',
    words:
      /\b(live ?music|live ?dj|dj|music|concert|band|jazz|go ?go\b|hip ?hop|rap\b|rock\b|indie|punk|soul|funk|r&b|techno|house ?music|edm|karaoke|open ?mic|choir|orchestra|symphony|opera)/,
  },
  {
    name: 'food',
    line: 'orange',
    label: 'Food & drink',
    words:
      /\b(food|drink|happy ?hour|brunch|dinner|lunch|tasting|wine|beer|brew|cocktail|coffee|cook|chef|restaurant|bbq|vegan)/,
  },
  {
    name: 'nightlife',
    line: 'silver',
    label: 'Nightlife',
    words: /\b(night|club|party|lounge|late ?night|after ?hours|dance|salsa|bachata|drag\b|comedy|stand ?up|u ?street)/,
  },
  {
    name: 'arts',
    line: 'blue',
    label: 'Art & ideas',
    words:
      /\b(art|museum|gallery|film|movie|cinema|theat|ballet|poetry|book|photo|design|history|science|lecture|talk|workshop|class|tech|startup|network)/,
  },
  {
    name: 'sports',
    line: 'green',
    label: 'Outdoors',
    words:
      /\b(outdoor|rooftop|park|hik|trail|garden|nature|river|kayak|bike|cycl|run|yoga|sport|soccer|baseball|basketball|fitness|blossom|cherry|waterfront|wharf)/,
  },
  {
    name: 'family',
    line: 'yellow',
    label: 'Family',
    words: /\b(family|families|kid|child|toddler|puppet|story ?time)/,
  },
  {
    name: 'community',
    line: 'yellow',
    label: 'Community',
    words: /\b(free|community|volunteer|charity|festival|fair|parade|market|pop ?up|neighbo|holiday)/,
  },
];

/** Displayed as "Community", because no visitor looks for "other". */
const OTHER = { name: 'other', line: 'yellow', label: 'Community' } as const;

/** The category of an event, from its tags; `other` if none matches. */
export function categoryOf(tags: readonly string[]): Omit<Category, 'words'> {
  const words = tags.map((tag) => tag.toLowerCase().replace(/^#/, '').replace(/[_-]/g, ' '));
  return CATEGORIES.find((category) => words.some((word) => category.words.test(word))) ?? OTHER;
}
