import { categoryOf } from '@beltway/contracts/catalog/categories';
import { moneyText } from '@beltway/contracts/common/basics';
import { posterUrl } from '@beltway/contracts/media/images';
import { storedSizes } from '@beltway/contracts/media/pictures';
import { hasTag } from '@beltway/contracts/ticketing/sale-state';
import type { EmbedTheme, FeedQuery } from '@beltway/contracts/catalog/search';
import { POSTPONED, whenText } from '@beltway/contracts/common/when';
import { escapeHtml } from '@beltway/kit/html';
import type { ListingRow } from '../event/queries.ts';
import { eventUrl } from './shown.ts';

interface Page {
  title: string;
  theme: EmbedTheme;
  moreUrl: string;
}

/** Every link leaves the frame, and tells nothing to the page it opens from. */
const link = (href: string, content: string, className: string): string =>
  `<a class="${className}" href="${escapeHtml(href)}" target="_blank" rel="noopener">${content}</a>`;

/** Shown whole without a script: `embed-frame.js` only follows the device's theme and says how high the list is. */
const page = ({ title, theme, moreUrl }: Page, content: string): string => `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/embed.css">
<script src="/embed-frame.js"></script>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
${link(moreUrl, 'More on Beltway', 'more')}
</main>
</body>
</html>
`;

/** The small picture: the event's own, or its poster without words, which stand beside it. */
function pictureOf(row: ListingRow): string {
  const { pictureUrl } = row;
  if (pictureUrl === null) return posterUrl({ ...row, eventDate: row.eventDate.toISOString() }, 'small', 'plain');
  return storedSizes(pictureUrl)?.[0]?.url ?? pictureUrl;
}

/** What it costs, or why there is none to be had; empty where it does not say. */
function costOf({ status, hasTickets, ticketSalesEnabled, priceCents, capacity, sold, tags }: ListingRow): string {
  if (status === 'postponed') return '';
  if (hasTickets && ticketSalesEnabled && priceCents !== null)
    return capacity !== null && sold >= capacity ? 'Sold Out' : moneyText(priceCents);
  return hasTag({ tags }, '#free') ? 'Free entry' : '';
}

function itemOf(row: ListingRow, now: Date, publicUrl: string): string {
  const when = row.status === 'postponed' ? POSTPONED : `${whenText(row, now)} ET`;
  const cost = costOf(row);
  const text = [
    `<span class="when">${escapeHtml(when)}</span>`,
    `<span class="title">${escapeHtml(row.title)}</span>`,
    `<span class="place">${escapeHtml(row.location)}</span>`,
    ...(cost ? [`<span class="cost">${escapeHtml(cost)}</span>`] : []),
  ].join('\n');
  const picture = `<img src="${escapeHtml(pictureOf(row))}" alt="" width="160" height="100" loading="lazy">`;
  const content = `${picture}\n<span class="facts">${text}</span>`;
  return `<li data-line="${categoryOf(row.tags).line}">${link(eventUrl(row, publicUrl), content, 'event')}</li>`;
}

/** Where the same events are found on Beltway itself. */
function moreUrlOf({ organizer, q, tags, category }: FeedQuery, publicUrl: string): string {
  if (organizer !== undefined) return new URL(`/organizer/${organizer}`, publicUrl).href;
  const url = new URL('/', publicUrl);
  if (q) url.searchParams.set('q', q);
  if (tags?.length === 1) url.searchParams.set('tag', `#${tags[0]!.replace(/^#/, '')}`);
  if (category?.length === 1) url.searchParams.set('category', category[0]!);
  return url.href;
}

interface Embed {
  query: FeedQuery;
  theme: EmbedTheme;
  now: Date;
  publicUrl: string;
}

/** A search as a small list in a frame of another site (services/catalog/PRODUCT.md#embeds). Organizers' words are escaped. */
export function embedOf(rows: readonly ListingRow[], { query, theme, now, publicUrl }: Embed): string {
  const list =
    rows.length > 0
      ? `<ul>\n${rows.map((row) => itemOf(row, now, publicUrl)).join('\n')}\n</ul>`
      : '<p>Nothing is announced right now.</p>';
  return page({ title: 'What’s on', theme, moreUrl: moreUrlOf(query, publicUrl) }, list);
}

/** What stands in the frame when its address makes no sense: who put it there reads why. */
export const refusalOf = (reason: string, publicUrl: string): string =>
  page(
    { title: 'This list cannot be shown', theme: 'auto', moreUrl: new URL('/', publicUrl).href },
    `<p>${escapeHtml(reason)}</p>`,
  );
