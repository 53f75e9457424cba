export const SEARCH_ID = 'event-search';
export const FEED_ID = 'events';

/** Brings the events into view, and the keyboard with them: the next Tab leads to the first of them. */
export function showEvents(): void {
  const events = document.getElementById(FEED_ID);
  events?.scrollIntoView({ behavior: 'smooth' });
  events?.setAttribute('tabindex', '-1');
  events?.focus({ preventScroll: true });
}

/** Puts the cursor into the search box, or shows the feed if there is none (Discover, frontend/PRODUCT.md#navigation). */
export function focusSearch(): void {
  const search = document.getElementById(SEARCH_ID);
  if (search) search.focus();
  else document.getElementById(FEED_ID)?.scrollIntoView({ behavior: 'smooth' });
}
