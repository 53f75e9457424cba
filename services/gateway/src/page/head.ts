import type { Event } from '@beltway/contracts/catalog/events';
import type { HeadTexts } from '@beltway/contracts/common/first-screen';
import { LANGUAGES, type Language } from '@beltway/contracts/common/languages';
import type { Organizer } from '@beltway/contracts/catalog/organizers';
import { saleState, type SaleState } from '@beltway/contracts/ticketing/sale-state';
import { SHARE_PICTURE, shareUrl, SITE_SHARE_URL } from '@beltway/contracts/media/share-picture';
import { cutText } from '@beltway/contracts/common/cut-text';
import { escapeHtml } from '@beltway/kit/html';
import { whenOf } from './when.ts';
import { headWords } from './head-words.ts';

/** The address of a page in a language: English is what it is in without more. */
const inLanguage = (url: string, language: Language): string => (language === 'en' ? url : `${url}?lang=${language}`);

/** JSON for a script element that is data: `<` would let a title end the element it stands in. */
export const inScript = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

const MAX_DESCRIPTION = 200;
/** One line, not cut inside a character. */
const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION ? line : `${cutText(line, MAX_DESCRIPTION - 1)}…`;
};

const addressOn = (site: string, address: string | null): string | undefined =>
  address && URL.canParse(address, site) ? new URL(address, site).href : undefined;

/** Of which the heads are. */
export interface Site {
  url: string;
  texts: Record<Language, HeadTexts>;
}

interface Head {
  /** Undefined: that of the built page stays; so does its description. */
  title?: string;
  description: string;
  /** OpenGraph's kind of thing. */
  type: 'event' | 'profile' | 'website';
  /** What a shared link is called. */
  name: string;
  /** Without a language. */
  url: string;
  /** In which the page is read. */
  language: Language;
  /** The address of a `SHARE_PICTURE`, and what it is. */
  image: { url: string; alt: string };
  /** schema.org */
  facts: object;
}

/** The canonical address of a page, without a language, in its language, and the same page in all of them. */
export function addressesOf(url: string, language: Language): string {
  const alternates: Array<[string, string]> = [
    ...LANGUAGES.map((one): [string, string] => [one, inLanguage(url, one)]),
    ['x-default', url],
  ];
  return [
    `<link rel="canonical" href="${escapeHtml(inLanguage(url, language))}" />`,
    ...alternates.map(([tag, href]) => `<link rel="alternate" hreflang="${tag}" href="${escapeHtml(href)}" />`),
  ].join('\n    ');
}

/** For pages that have no picture of their own. */
const siteImage = (site: Site, language: Language) => ({
  url: new URL(SITE_SHARE_URL, site.url).href,
  alt: site.texts[language].siteTitle,
});

/** Title, addresses, OpenGraph, Twitter's card and JSON-LD. */
function headOf({ title, description, type, name, url, language, image, facts }: Head): string {
  const og: Array<[string, string | undefined]> = [
    ['og:type', type],
    ['og:site_name', 'Beltway'],
    ['og:title', name],
    ['og:description', description],
    ['og:url', inLanguage(url, language)],
    ['og:image', image.url],
    ['og:image:type', SHARE_PICTURE.type],
    ['og:image:width', String(SHARE_PICTURE.width)],
    ['og:image:height', String(SHARE_PICTURE.height)],
    ['og:image:alt', image.alt],
  ];
  const twitter: Array<[string, string | undefined]> = [
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', name],
    ['twitter:description', description],
    ['twitter:image', image.url],
    ['twitter:image:alt', image.alt],
  ];
  const metas = (attribute: 'property' | 'name', all: typeof og) =>
    all.flatMap(([key, content]) =>
      content ? [`<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`] : [],
    );
  return [
    ...(title === undefined
      ? []
      : [`<title>${escapeHtml(title)}</title>`, `<meta name="description" content="${escapeHtml(description)}" />`]),
    addressesOf(url, language),
    ...metas('name', twitter),
    ...metas('property', og),
    `<script type="application/ld+json">${inScript({ '@context': 'https://schema.org', ...facts })}</script>`,
  ].join('\n    ');
}

/** The head of an event's page. Prices are what the buyer pays. */
export function eventHead(event: Event, site: Site, now = new Date(), language: Language = 'en'): string {
  const url = new URL(`/event/${event.id}`, site.url).href;
  const picture = addressOn(site.url, event.imageUrl);
  return headOf({
    title: `${event.title} · Beltway`,
    description: shorten(event.description),
    type: 'event',
    name: event.title,
    url,
    language,
    image: {
      url: new URL(shareUrl(event), site.url).href,
      alt: site.texts[language].pictureOf.replace('{title}', () => event.title),
    },
    facts: eventFacts(event, site.url, url, picture, now),
  });
}

/** A postponed event keeps the date it had, until it has another one. */
const EVENT_STATUS: Record<Event['status'], string> = {
  published: 'EventScheduled',
  postponed: 'EventPostponed',
  canceled: 'EventCancelled',
};

/** Whether tickets can be had, in schema.org's words (ItemAvailability). */
const AVAILABILITY: Record<SaleState, string> = {
  'on-sale': 'InStock',
  'not-yet': 'PreOrder',
  'sold-out': 'SoldOut',
  none: 'OutOfStock',
  postponed: 'OutOfStock',
  ended: 'OutOfStock',
};

function eventFacts(event: Event, publicUrl: string, url: string, image: string | undefined, now: Date) {
  const { start, end } = whenOf(event);
  const { place } = event;
  return {
    '@type': 'Event',
    name: event.title,
    description: event.description,
    startDate: start,
    ...(end && { endDate: end }),
    url,
    ...(image && { image: [image] }),
    eventStatus: `https://schema.org/${EVENT_STATUS[event.status]}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.location,
      address: event.location,
      ...(place &&
        !place.isApproximate && { geo: { '@type': 'GeoCoordinates', latitude: place.lat, longitude: place.lon } }),
    },
    ...(event.organizerName && {
      organizer: {
        '@type': 'Organization',
        name: event.organizerName,
        url: new URL(`/organizer/${event.userId}`, publicUrl).href,
      },
    }),
    ...(event.hasTickets &&
      event.ticketPrice && {
        offers: {
          '@type': 'Offer',
          price: event.ticketPrice,
          priceCurrency: 'USD',
          url: new URL(`/ticket-checkout?eventId=${event.id}`, publicUrl).href,
          availability: `https://schema.org/${AVAILABILITY[saleState(event, now)]}`,
          ...(event.ticketSalesStartTime && { validFrom: event.ticketSalesStartTime }),
        },
      }),
  };
}

/** The head of an organizer's page. */
export function organizerHead({ id, name }: Organizer, site: Site, language: Language = 'en'): string {
  const url = new URL(`/organizer/${id}`, site.url).href;
  const words = headWords[language];
  const shown = name ?? site.texts[language].nameless;
  return headOf({
    title: `${shown} · Beltway`,
    description: shorten((name === null && words.namelessDescription) || words.organizerDescription(shown)),
    type: 'profile',
    name: shown,
    url,
    language,
    image: siteImage(site, language),
    facts: { '@type': 'Organization', name: shown, url },
  });
}

/** The head of the home page; title and description are those of the built page. */
export function homeHead(site: Site, language: Language = 'en'): string {
  const url = new URL('/', site.url).href;
  return headOf({
    description: headWords[language].siteDescription,
    type: 'website',
    name: site.texts[language].siteTitle,
    url,
    language,
    image: siteImage(site, language),
    facts: {
      '@type': 'WebSite',
      name: 'Beltway',
      url,
      potentialAction: { '@type': 'SearchAction', target: `${url}?q={q}`, 'query-input': 'required name=q' },
    },
  });
}

const TITLE = /<title>.*?<\/title>/s;
const DESCRIPTION = /<meta\s+name="description"[^>]*>\s*/;
const NO_SCRIPT = /<noscript>.*?<\/noscript>/s;

/** The page with this head: in place of its own title and description where it has one, else behind them. */
export const withHead = (html: string, head: string): string =>
  head.startsWith('<title>')
    ? html.replace(DESCRIPTION, '').replace(TITLE, () => head)
    : html.replace(TITLE, (title) => `${title}\n    ${head}`);

/** The built page in a language: what it says of itself, and that its script is needed. */
export function spoken(html: string, { texts }: Pick<Site, 'texts'>, language: Language): string {
  const { builtPage } = headWords[language];
  if (!builtPage) return html;
  return html
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(TITLE, () => `<title>${escapeHtml(texts[language].siteTitle)}</title>`)
    .replace(DESCRIPTION, () => `<meta name="description" content="${escapeHtml(builtPage.description)}" />\n    `)
    .replace(NO_SCRIPT, () => `<noscript>${escapeHtml(builtPage.noScript)}</noscript>`);
}
