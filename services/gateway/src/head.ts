import type { Event } from '@beltway/contracts/catalog';

const escape = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** `<` would let a title end the script element it stands in. */
const jsonLd = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c');

/** Title, OpenGraph and JSON-LD (schema.org Event) of an event, for the head of its page. Prices are what the buyer pays. */
export function eventHead(event: Event, publicUrl: string): string {
  const url = new URL(`/event/${event.id}`, publicUrl).href;
  const image = event.imageUrl ? new URL(event.imageUrl, publicUrl).href : undefined;
  const description = event.description.slice(0, 200);
  const soldOut = event.totalTickets !== null && event.soldTickets >= event.totalTickets;
  const meta: Array<[string, string | undefined]> = [
    ['og:type', 'event'],
    ['og:site_name', 'Beltway'],
    ['og:title', event.title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image],
  ];
  const facts = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    description: event.description,
    startDate: event.eventDate,
    url,
    ...(image && { image: [image] }),
    eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
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
  return [
    `<title>${escape(event.title)} · Beltway</title>`,
    `<meta name="description" content="${escape(description)}" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
    ...meta.flatMap(([name, content]) => (content ? [`<meta property="${name}" content="${escape(content)}" />`] : [])),
    `<script type="application/ld+json">${jsonLd(facts)}</script>`,
  ].join('\n    ');
}
