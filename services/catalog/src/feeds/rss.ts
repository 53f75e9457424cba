import { plannedWhenText } from '@beltway/contracts/common/when';
import { escapeHtml } from '@beltway/kit/html';
import type { ListingRow } from '../event/queries.ts';
import { eventUrl, priceText, shortDescription, stateOf, titleOf } from './shown.ts';

/** Characters that XML 1.0 cannot express (2.2, Char). */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const xml = (text: string): string => escapeHtml(text.toWellFormed().replace(NO_XML, ''));

/** After this many minutes, a feed reader refreshes. */
const TTL_MINUTES = 60;

interface Channel {
  name: string;
  publicUrl: string;
  /** The URL of the feed itself. */
  selfUrl: string;
}

/** The description of an event: HTML, with the organizer's text escaped. */
function descriptionOf(row: ListingRow): string {
  const facts = [plannedWhenText(row), row.location, priceText(row)].filter((fact) => fact !== null);
  const words = escapeHtml(shortDescription(row)).replaceAll('\n', '<br>');
  return `<p>${facts.map(escapeHtml).join('<br>')}</p><p>${words}</p>`;
}

/**
 * A feed item. A cancellation or postponement gets its own `guid`, because feed readers do not show an item with a
 * known `guid` again.
 */
function itemOf(row: ListingRow, publicUrl: string): string {
  const url = eventUrl(row, publicUrl);
  const { isOn, sign } = stateOf(row);
  const guid = `event-${row.eventId}@beltway${isOn ? '' : `#${sign.toLowerCase()}`}`;
  return [
    '<item>',
    `<title>${xml(titleOf(row))}</title>`,
    `<link>${xml(url)}</link>`,
    `<guid isPermaLink="false">${xml(guid)}</guid>`,
    `<pubDate>${(isOn ? row.createdAt : row.changedAt).toUTCString()}</pubDate>`,
    `<description>${xml(descriptionOf(row))}</description>`,
    ...row.tags.map((tag) => `<category>${xml(tag)}</category>`),
    '</item>',
  ].join('\n');
}

/**
 * The results of a search as an RSS 2.0 feed. It has an Atom link to its own URL, which the RSS Advisory Board
 * recommends.
 */
export const rssOf = (rows: readonly ListingRow[], { name, publicUrl, selfUrl }: Channel): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    `<title>${xml(name)}</title>`,
    `<link>${xml(publicUrl)}</link>`,
    '<description>What’s on around DC, Maryland and Virginia</description>',
    '<language>en-us</language>',
    `<atom:link href="${xml(selfUrl)}" rel="self" type="application/rss+xml" />`,
    `<ttl>${TTL_MINUTES}</ttl>`,
    ...rows.map((row) => itemOf(row, publicUrl)),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
