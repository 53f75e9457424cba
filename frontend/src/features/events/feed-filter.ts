import { LONGEST_SEARCH } from '@beltway/contracts/catalog/search-length';
import { readSearchText } from '@beltway/contracts/catalog/search-text';
import { HERE, searchOf, type EventFilter } from './filter.ts';

/** Search words for relative days. In the URL of a feed, such words stay current, but dates become outdated. */
export const WORDS_FOR_DAYS: Record<string, string> = {
  tonight: 'tonight',
  tomorrow: 'tomorrow',
  weekend: 'this weekend',
};

/**
 * The filter as a feed to subscribe to (services/catalog/PRODUCT.md#feeds), without a sort order and without the
 * distance to the device. Feed readers store the feed's URL, which must not contain the device's position.
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
