import type { Position } from '@beltway/places/distance';
import { CATEGORIES, CATEGORY_NAMES, METRO_LINES } from '@beltway/contracts/catalog/categories';
import {
  dayRange,
  tomorrowRange,
  tonightRange,
  weekendRange,
  type TimeRange,
} from '@beltway/contracts/common/day-ranges';
import { LONGEST_SEARCH, readSearchText } from '@beltway/contracts/catalog/search-text';
import { isTag } from '@beltway/contracts/catalog/tags';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

const NAMES = ['q', 'tag', 'line', 'when', 'free', 'category', 'maxPrice', 'near', 'radius', 'onSale', 'sort'] as const;

const MOST_TAGS = 10;
const LONGEST_PLACE = 100;
const SORTS = ['soonest', 'nearest', 'newest', 'popular'];
const isOneOf = (names: readonly string[]) => (value: string) => names.includes(value);

/** Anybody can write an address: what the API would refuse is passed over (`@beltway/contracts/catalog/search`). */
const isUnderstood: Record<(typeof NAMES)[number], (value: string) => boolean> = {
  q: () => true,
  tag: (value) => {
    const tags = value.split(',');
    return tags.length <= MOST_TAGS && tags.every((tag) => tag.trim().length <= 41 && isTag(tag.trim()));
  },
  line: isOneOf(METRO_LINES),
  // A year that is half typed, too: the date's field would lose it.
  when: (value) => /^\d{4,6}-\d\d-\d\d$/.test(value) || rangeOf(value, new Date()) !== null,
  free: isOneOf(['1']),
  category: isOneOf(CATEGORY_NAMES),
  maxPrice: (value) => /^\d{1,6}(\.\d{1,2})?$/.test(value),
  near: (value) => value.length <= LONGEST_PLACE && !value.includes('\0'),
  radius: (value) => /^\d{1,3}(\.\d{1,2})?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 100,
  onSale: isOneOf(['1']),
  sort: isOneOf(SORTS),
};

/** The filter in the address (frontend/PRODUCT.md#home); empty without one. */
export type EventFilter = Record<(typeof NAMES)[number], string>;

/** Changes some of it; `replace`: without an entry of its own in the history. */
export type ChangeFilter = (change: Partial<EventFilter>, options?: { replace?: boolean }) => void;

export const readFilter = (params: URLSearchParams): EventFilter =>
  Object.fromEntries(
    NAMES.map((name) => {
      const value = params.get(name) ?? '';
      return [name, value !== '' && isUnderstood[name](value) ? value : ''];
    }),
  ) as EventFilter;

export const NO_FILTER: EventFilter = readFilter(new URLSearchParams());

/** Something is left out; another order alone leaves out nothing. */
export const isFiltering = (filter: EventFilter): boolean =>
  NAMES.some((name) => name !== 'sort' && name !== 'radius' && filter[name].trim() !== '');

/** Of `near`: the device's position, which never stands in the address. */
export const HERE = 'me';

const A_POSITION = /^-?\d+(\.\d+)?,\s*-?\d+(\.\d+)?$/;

/** Around what: a place by its name, positions in words. */
export function placeText(near: string): string {
  const t = textsNow(texts);
  return near === HERE ? t('ofYou') : A_POSITION.test(near) ? t('ofPosition') : near;
}

/** Some hundred meters: as much as a distance in miles needs. */
const positionText = ({ lat, lon }: Position) => `${lat.toFixed(2)},${lon.toFixed(2)}`;

function rangeOf(when: string, now: Date): TimeRange | null {
  if (when === 'tonight') return tonightRange(now);
  if (when === 'tomorrow') return tomorrowRange(now);
  if (when === 'weekend') return weekendRange(now);
  const day = /^20\d\d-\d\d-\d\d$/.test(when) ? new Date(when) : new Date(Number.NaN);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(when) ? dayRange(when) : null;
}

/** The categories of a card's community are two: what says nothing of itself is shown as community too. */
const withOther = (categories: string[]) => (categories.includes('community') ? [...categories, 'other'] : categories);

/**
 * The filter as `GET /api/events` takes it. An address with a color (`?line=`) means that line's categories; what it does not understand it
 * passes over. Distance to the device waits for its position.
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

/** Days that a search understands in words: they move on, where dates would not. */
export const WORDS_FOR_DAYS: Record<string, string> = {
  tonight: 'tonight',
  tomorrow: 'tomorrow',
  weekend: 'this weekend',
};

/**
 * The filter as a feed to subscribe to (services/catalog/PRODUCT.md#feeds): without an order, and without the
 * distance to the device, whose position
 * would stand in an address that others keep.
 */
export function feedOf(filter: EventFilter, now: Date): URLSearchParams {
  const { near, ...others } = { ...filter, sort: '' };
  const subscribed = { ...others, near: near === HERE ? '' : near };
  const words = WORDS_FOR_DAYS[filter.when];
  const q = `${words ?? ''} ${filter.q.trim()}`.trim();
  const saysDay = readSearchText(filter.q, now).range !== null;
  return !words || saysDay || q.length > LONGEST_SEARCH
    ? searchOf(subscribed, null, now)
    : searchOf({ ...subscribed, q, when: '' }, null, now);
}
