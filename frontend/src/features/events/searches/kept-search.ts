import type { Position } from '@beltway/places/distance';
import { CATEGORIES, METRO_LINES } from '@beltway/contracts/catalog/categories';
import { dayRange } from '@beltway/contracts/common/day-ranges';
import { LONGEST_SEARCH, readSearchText } from '@beltway/contracts/catalog/search-text';
import { dayAt } from '@beltway/contracts/common/times';
import { textsNow } from '../../../lib/i18n/catalog.ts';
import { formatLongDate, formatRound } from '../../../lib/i18n/format.ts';
import { texts as shared } from '../../../lib/i18n/texts.en.ts';
import { HERE, NO_FILTER, placeText, searchOf, WORDS_FOR_DAYS, type EventFilter } from '../filter.ts';
import { texts as feed } from '../texts.en.ts';
import { texts } from './texts.en.ts';

/** A search as it is kept: parameters of `GET /api/events`. */
export type KeptSearch = Record<string, string>;

/**
 * The filter as a search to keep (services/catalog/PRODUCT.md#saved-searches): tonight and its kin are words, which
 * move on, where dates would not; a day
 * that the words say themselves counts alone. A text where it cannot be kept as it is.
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

/** The day of a range that is one day; null for any other. */
function dayOf(from: string | undefined, to: string | undefined): string | null {
  const begin = from && new Date(from.length === 10 ? dayRange(from).from : from);
  const end = to && new Date(to.length === 10 ? dayRange(to).to : to);
  if (!begin || !end || Number.isNaN(begin.getTime())) return null;
  const day = dayAt(begin);
  const whole = dayRange(day);
  return whole.from.getTime() === begin.getTime() && whole.to.getTime() === end.getTime() ? day : null;
}

/** The chip, or the line's color, that means these categories. */
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

/** The filter of the home page that a kept search is; null for one that the page has no words for, as programs may keep. */
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

/** The home page with a kept search. */
export function pathOfKept(search: KeptSearch): string | null {
  const filter = filterOfKept(search);
  if (!filter) return null;
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return `/?${params.toString()}`;
}

const isDay = (when: string) => when === 'tonight' || when === 'tomorrow' || when === 'weekend';

/** What a filter looks for, in the words of its chips. */
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
