export const SEARCH_ID = 'event-search';
export const FEED_ID = 'events';

/** Puts the cursor into the search box, or shows the feed if there is none (Discover, docs/product.md#navigation). */
export function focusSearch(): void {
  const search = document.getElementById(SEARCH_ID);
  if (search) search.focus();
  else document.getElementById(FEED_ID)?.scrollIntoView({ behavior: 'smooth' });
}
