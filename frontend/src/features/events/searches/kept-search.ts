import type { Position } from '@beltway/places/distance';
import { CATEGORIES, METRO_LINES } from '@beltway/contracts/catalog/categories';
import { dayRange } from '@beltway/contracts/common/day-ranges';
import { LONGEST_SEARCH } from '@beltway/contracts/catalog/search-length';
import { readSearchText } from '@beltway/contracts/catalog/search-text';
import { dayAt } from '@beltway/contracts/common/times';
import { textsNow } from '../../../lib/i18n/catalog.ts';
import { formatLongDate, formatRound } from '../../../lib/i18n/format.ts';
import { texts as shared } from '../../../lib/i18n/texts.en.ts';
import { WORDS_FOR_DAYS } from '../feed-filter.ts';
import { HERE, NO_FILTER, placeText, searchOf, type EventFilter } from '../filter.ts';
import { texts as feed } from '../texts.en.ts';
import { texts } from './texts.en.ts';

/** A saved search: parameters of `GET /api/events`. */
export type KeptSearch = Record<string, string>;

/**
 * The filter as a search to save (services/catalog/PRODUCT.md#saved-searches). Relative days such as tonight are saved
 * as words, because dates become outdated. A day in the search text takes precedence over the filter's day. Returns
 * `problem`, a sentence, for a filter that cannot be saved.
 */
export function keptSearchOf(
  filter: EventFilter,
  position: Position | null,
  now: Date,
): { search: KeptSearch } | { problem: string } {
  if (filter.near === HERE && !position) return { problem: textsNow(texts)('noPosition') };
  const words = WORDS_FOR_DAYS[filter.when];
  const saysDay = readSearchText(filter.q, now).range !== null;
  const q = words && !saysDay ? `${words} ${filter.q.trim()}`.trim() : filter.q;
  if (q.length > LONGEST_SEARCH) return { problem: textsNow(texts)('tooLong') };
  const search = searchOf({ ...filter, q, ...(words && { when: '' }) }, position, now);
  return { search: Object.fromEntries(search) };
}

const SAME = ['q', 'maxPrice', 'free', 'near', 'radius', 'onSale', 'sort'] as const;
const NAMES = new Set<string>([...SAME, 'tags', 'category', 'from', 'to']);

/** The day of a range that is exactly one day; otherwise null. */
function dayOf(from: string | undefined, to: string | undefined): string | null {
  const begin = from && new Date(from.length === 10 ? dayRange(from).from : from);
  const end = to && new Date(to.length === 10 ? dayRange(to).to : to);
  if (!begin || !end || Number.isNaN(begin.getTime())) return null;
  const day = dayAt(begin);
  const whole = dayRange(day);
  return whole.from.getTime() === begin.getTime() && whole.to.getTime() === end.getTime() ? day : null;
}

/** The category chip or line color that selects exactly these categories; null if there is none. */
function categoryOf(names: string): Pick<EventFilter, 'category' | 'line'> | null {
  const wanted = new Set(names.split(','));
  const isThese = (others: readonly string[]) =>
    others.length === wanted.size && others.every((name) => wanted.has(name));
  const category = CATEGORIES.find(({ name }) => isThese(name === 'community' ? [name, 'other'] : [name]));
  if (category) return { category: category.name, line: '' };
  const line = METRO_LINES.find((color) =>
    isThese(CATEGORIES.filter((one) => one.line === color).map(({ name }) => name)),
  );
  return line ? { category: '', line } : null;
}

/**
 * The home page's filter for a saved search; null if the page cannot display the search. API clients may save such
 * searches.
 */
export function filterOfKept(search: KeptSearch): EventFilter | null {
  if (Object.keys(search).some((name) => !NAMES.has(name))) return null;
  const filter = { ...NO_FILTER };
  for (const name of SAME) filter[name] = search[name] ?? '';
  filter.tag = search['tags'] ?? '';
  if (search['category']) {
    const category = categoryOf(search['category']);
    if (!category) return null;
    Object.assign(filter, category);
  }
  if (search['from'] || search['to']) {
    const day = dayOf(search['from'], search['to']);
    if (!day) return null;
    filter.when = day;
    return filter;
  }
  for (const [when, words] of Object.entries(WORDS_FOR_DAYS))
    if (filter.q === words || filter.q.startsWith(`${words} `)) {
      filter.when = when;
      filter.q = filter.q.slice(words.length).trim();
    }
  return filter;
}

/** The home page's path for a saved search; null if the page cannot display the search. */
export function pathOfKept(search: KeptSearch): string | null {
  const filter = filterOfKept(search);
  if (!filter) return null;
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return `/?${params.toString()}`;
}

const isDay = (when: string) => when === 'tonight' || when === 'tomorrow' || when === 'weekend';

/** The filter as the labels of its chips. */
export function factsOf(filter: EventFilter): string[] {
  const { q, category, line, when, free, maxPrice, near, radius, onSale, tag } = filter;
  const t = textsNow(feed);
  const nameOf = textsNow(shared);
  const labels = CATEGORIES.filter((one) => (category ? one.name === category : one.line === line));
  return [
    ...(q.trim() ? [`‘${q.trim()}’`] : []),
    ...labels.map(({ name }) => nameOf(name)),
    ...tag.split(',').flatMap((each) => each.trim() || []),
    ...(when ? [isDay(when) ? t(when) : formatLongDate(`${when}T12:00:00Z`)] : []),
    ...(free ? [t('free')] : []),
    ...(maxPrice ? [t('upTo', { price: formatRound(maxPrice) })] : []),
    ...(near ? [t('within', { miles: radius || '10', place: placeText(near) })] : []),
    ...(onSale ? [t('onSale')] : []),
  ];
}
