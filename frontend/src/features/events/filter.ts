import type { Position } from '@beltway/places/distance';
import { CATEGORIES, CATEGORY_NAMES, METRO_LINES } from '@beltway/contracts/catalog/categories';
import {
  dayRange,
  tomorrowRange,
  tonightRange,
  weekendRange,
  type TimeRange,
} from '@beltway/contracts/common/day-ranges';
import { LONGEST_SEARCH } from '@beltway/contracts/catalog/search-length';
import { isTag } from '@beltway/contracts/catalog/tags';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

const NAMES = ['q', 'tag', 'line', 'when', 'free', 'category', 'maxPrice', 'near', 'radius', 'onSale', 'sort'] as const;

const MOST_TAGS = 10;
const LONGEST_PLACE = 100;
const SORTS = ['soonest', 'nearest', 'newest', 'popular'];
const isOneOf = (names: readonly string[]) => (value: string) => names.includes(value);

/** URLs are untrusted: values that the API would refuse are ignored (`@beltway/contracts/catalog/search`). */
const isUnderstood: Record<(typeof NAMES)[number], (value: string) => boolean> = {
  q: () => true,
  tag: (value) => {
    const tags = value.split(',');
    return tags.length <= MOST_TAGS && tags.every((tag) => tag.trim().length <= 41 && isTag(tag.trim()));
  },
  line: isOneOf(METRO_LINES),
  // Accepts a year that is still being typed, which the date field would otherwise lose.
  when: (value) => /^\d{4,6}-\d\d-\d\d$/.test(value) || rangeOf(value, new Date()) !== null,
  free: isOneOf(['1']),
  category: isOneOf(CATEGORY_NAMES),
  maxPrice: (value) => /^\d{1,6}(\.\d{1,2})?$/.test(value),
  near: (value) => value.length <= LONGEST_PLACE && !value.includes('\0'),
  radius: (value) => /^\d{1,3}(\.\d{1,2})?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 100,
  onSale: isOneOf(['1']),
  sort: isOneOf(SORTS),
};

/** The filter in the URL (frontend/PRODUCT.md#home); empty values do not filter. */
export type EventFilter = Record<(typeof NAMES)[number], string>;

/** Changes parts of the filter. `replace`: without a new history entry. */
export type ChangeFilter = (change: Partial<EventFilter>, options?: { replace?: boolean }) => void;

export const readFilter = (params: URLSearchParams): EventFilter =>
  Object.fromEntries(
    NAMES.map((name) => {
      const value = params.get(name) ?? '';
      return [name, value !== '' && isUnderstood[name](value) ? value : ''];
    }),
  ) as EventFilter;

export const NO_FILTER: EventFilter = readFilter(new URLSearchParams());

/** Whether the filter excludes events; a sort order alone does not. */
export const isFiltering = (filter: EventFilter): boolean =>
  NAMES.some((name) => name !== 'sort' && name !== 'radius' && filter[name].trim() !== '');

/** The value of `near` that means the device's position. The position never appears in the URL. */
export const HERE = 'me';

const A_POSITION = /^-?\d+(\.\d+)?,\s*-?\d+(\.\d+)?$/;

/** The label of the search's center: a place's name, or a description of a position. */
export function placeText(near: string): string {
  const t = textsNow(texts);
  return near === HERE ? t('ofYou') : A_POSITION.test(near) ? t('ofPosition') : near;
}

/** Rounded to about a kilometer, which is enough for a distance in miles. */
const positionText = ({ lat, lon }: Position) => `${lat.toFixed(2)},${lon.toFixed(2)}`;

function rangeOf(when: string, now: Date): TimeRange | null {
  if (when === 'tonight') return tonightRange(now);
  if (when === 'tomorrow') return tomorrowRange(now);
  if (when === 'weekend') return weekendRange(now);
  const day = /^20\d\d-\d\d-\d\d$/.test(when) ? new Date(when) : new Date(Number.NaN);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(when) ? dayRange(when) : null;
}

/** Cards show uncategorized events as community, so the community filter includes them. */
const withOther = (categories: string[]) => (categories.includes('community') ? [...categories, 'other'] : categories);

/**
 * The filter as parameters of `GET /api/events`. A color (`?line=`) means the categories of that line; invalid values
 * are ignored. A distance to the device is left out until its position is known.
 */
export function searchOf(filter: EventFilter, position: Position | null, now: Date): URLSearchParams {
  const params = new URLSearchParams();
  const set = (name: string, value: string | undefined) => value && params.set(name, value);
  const ofLine = CATEGORIES.filter(({ line }) => line === filter.line).map(({ name }) => name);
  const range = rangeOf(filter.when, now);
  set('q', filter.q.replaceAll('\0', '').trimStart().slice(0, LONGEST_SEARCH));
  set('tags', filter.tag);
  set('category', withOther(filter.category ? [filter.category] : ofLine).join());
  set('from', range?.from.toISOString());
  set('to', range?.to.toISOString());
  set('maxPrice', filter.maxPrice);
  set('free', filter.free);
  set('onSale', filter.onSale);
  const near = filter.near === HERE ? position && positionText(position) : filter.near;
  if (near) {
    set('near', near);
    set('radius', filter.radius);
  }
  if (filter.sort !== 'nearest' || near) set('sort', filter.sort);
  return params;
}
