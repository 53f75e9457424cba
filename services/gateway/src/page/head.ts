import type { Event } from '@beltway/contracts/catalog';
import { escapeHtml } from '@beltway/kit/html';
import { whenOf } from './when.ts';

/** `<` would let a title end the script element it stands in. */
const jsonLd = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c');

const MAX_DESCRIPTION = 200;
/** One line, not cut inside a character. */
const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION
    ? line
    : `${line.slice(0, MAX_DESCRIPTION - 1).replace(/[\ud800-\udbff]$/, '')}…`;
};

const addressOn = (site: string, address: string | null): string | undefined =>
  address && URL.canParse(address, site) ? new URL(address, site).href : undefined;

/** Title, OpenGraph and JSON-LD (schema.org Event) of an event. Prices are what the buyer pays. */
export function eventHead(event: Event, publicUrl: string): string {
  const url = new URL(`/event/${event.id}`, publicUrl).href;
  const image = addressOn(publicUrl, event.imageUrl);
  const description = shorten(event.description);
  const meta: Array<[string, string | undefined]> = [
    ['og:type', 'event'],
    ['og:site_name', 'Beltway'],
    ['og:title', event.title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image],
  ];
  return [
    `<title>${escapeHtml(event.title)} · Beltway</title>`,
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    `<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}" />`,
    ...meta.flatMap(([name, content]) =>
      content ? [`<meta property="${name}" content="${escapeHtml(content)}" />`] : [],
    ),
    `<script type="application/ld+json">${jsonLd(facts(event, publicUrl, url, image))}</script>`,
  ].join('\n    ');
}

/** A postponed event keeps the date it had, until it has another one. */
const EVENT_STATUS: Record<Event['status'], string> = {
  published: 'EventScheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};

function facts(event: Event, publicUrl: string, url: string, image: string | undefined) {
  const { start, end } = whenOf(event);
  const soldOut = event.totalTickets !== null && event.soldTickets >= event.totalTickets;
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    description: event.description,
    startDate: start,
    ...(end && { endDate: end }),
    url,
    ...(image && { image: [image] }),
    eventStatus: `https://schema.org/${EVENT_STATUS[event.status]}`,
    location: { '@type': 'Place', name: event.location, address: event.location },
    ...(event.hasTickets &&
      event.ticketPrice && {
        offers: {
          '@type': 'Offer',
          price: event.ticketPrice,
          priceCurrency: 'USD',
          url: new URL(`/ticket-checkout?eventId=${event.id}`, publicUrl).href,
          availability: `https://schema.org/${soldOut ? 'SoldOut' : 'InStock'}`,
        },
      }),
  };
}

/** The page with this head in place of its own title and description. */
export const withHead = (html: string, head: string): string =>
  html.replace(/<meta\s+name="description"[^>]*>\s*/, '').replace(/<title>.*?<\/title>/s, () => head);
