export const SEARCH_ID = 'event-search';
/** The hero's search field, used while the feed's search field is below the screen. */
export const HERO_SEARCH_ID = 'hero-search';
export const FEED_ID = 'events';
/** The feed's own cards, below those of what is on now. */
export const CARDS_ID = 'event-cards';

/**
 * Focuses the visible search field, or scrolls to the feed if there is none (Discover, frontend/PRODUCT.md#navigation).
 */
export function focusSearch(): void {
  const hero = document.getElementById(HERO_SEARCH_ID);
  const search = hero && hero.getBoundingClientRect().bottom >= 0 ? hero : document.getElementById(SEARCH_ID);
  if (search) search.focus();
  else document.getElementById(FEED_ID)?.scrollIntoView({ behavior: 'smooth' });
}
