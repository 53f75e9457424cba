import { categoryOf } from '@beltway/contracts/catalog/categories';
import { moneyText } from '@beltway/contracts/common/basics';
import { posterUrl } from '@beltway/contracts/media/images';
import { storedSizes } from '@beltway/contracts/media/pictures';
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

/** A link that opens outside the frame. The opened page gets no access to the embedded list. */
const link = (href: string, content: string, className: string): string =>
  `<a class="${className}" href="${escapeHtml(href)}" target="_blank" rel="noopener">${content}</a>`;

/**
 * The HTML of the frame. It is complete without a script: `embed-frame.js` only follows the device's theme and reports
 * the list's height.
 */
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

/**
 * The URL of the small picture: the event's own picture, or its poster without text, because the list shows the text
 * next to it.
 */
function pictureOf(row: ListingRow): string {
  const { pictureUrl } = row;
  if (pictureUrl === null) return posterUrl({ ...row, eventDate: row.eventDate.toISOString() }, 'small', 'plain');
  return storedSizes(pictureUrl)?.[0]?.url ?? pictureUrl;
}

/** The price, "Sold Out" or "Free entry"; empty if none applies. */
function costOf({ status, hasTickets, ticketSalesEnabled, priceCents, capacity, sold, freeEntry }: ListingRow): string {
  if (status === 'postponed') return '';
  if (hasTickets && ticketSalesEnabled && priceCents !== null)
    return capacity !== null && sold >= capacity ? 'Sold Out' : moneyText(priceCents);
  return freeEntry ? 'Free entry' : '';
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

/** The URL at which Beltway shows the same events. */
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

/**
 * The results of a search as a small list, for a frame on another site (services/catalog/PRODUCT.md#embeds).
 * Organizers' texts are escaped.
 */
export function embedOf(rows: readonly ListingRow[], { query, theme, now, publicUrl }: Embed): string {
  const list =
    rows.length > 0
      ? `<ul>\n${rows.map((row) => itemOf(row, now, publicUrl)).join('\n')}\n</ul>`
      : '<p>Nothing is announced right now.</p>';
  return page({ title: 'What’s on', theme, moreUrl: moreUrlOf(query, publicUrl) }, list);
}

/** The HTML for an invalid URL. It states the reason, for the owner of the site that embeds the list. */
export const refusalOf = (reason: string, publicUrl: string): string =>
  page(
    { title: 'This list cannot be shown', theme: 'auto', moreUrl: new URL('/', publicUrl).href },
    `<p>${escapeHtml(reason)}</p>`,
  );
