export const SEARCH_ID = 'event-search';
/** Of the hero: the same search, for as long as the other one is below the screen. */
export const HERO_SEARCH_ID = 'hero-search';
export const FEED_ID = 'events';

/** Puts the cursor into the search box in sight, or shows the feed if there is none (Discover, frontend/PRODUCT.md#navigation). */
export function focusSearch(): void {
  const hero = document.getElementById(HERO_SEARCH_ID);
  const search = hero && hero.getBoundingClientRect().bottom >= 0 ? hero : document.getElementById(SEARCH_ID);
  if (search) search.focus();
  else document.getElementById(FEED_ID)?.scrollIntoView({ behavior: 'smooth' });
}
