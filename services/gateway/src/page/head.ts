import { plainDescription } from '@beltway/contracts/catalog/plain-description';
import { fullAddress } from '@beltway/contracts/catalog/event-links';
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

/** The page's URL in a language. A URL without the parameter is for English. */
const inLanguage = (url: string, language: Language): string => (language === 'en' ? url : `${url}?lang=${language}`);

/** JSON for a data script element. `<` is escaped, because a `<` in a title could end the element. */
export const inScript = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

const MAX_DESCRIPTION = 200;
/** Shortens a text to one line without cutting a character. */
const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION ? line : `${cutText(line, MAX_DESCRIPTION - 1)}…`;
};

const addressOn = (site: string, address: string | null): string | undefined =>
  address && URL.canParse(address, site) ? new URL(address, site).href : undefined;

/** Data of the whole site that heads contain. */
export interface Site {
  url: string;
  texts: Record<Language, HeadTexts>;
}

interface Head {
  /** Undefined: the built page keeps its title and description. */
  title?: string;
  description: string;
  /** OpenGraph's type. */
  type: 'event' | 'profile' | 'website';
  /** The title shown for a shared link. */
  name: string;
  /** Without a language parameter. */
  url: string;
  /** The page's language. */
  language: Language;
  /** The URL of a `SHARE_PICTURE`, and its alternative text. */
  image: { url: string; alt: string };
  /** The structured data, in schema.org's vocabulary. */
  facts: object;
  /** Whether search engines must leave the page out. */
  isUnlisted?: boolean;
}

/**
 * Returns the canonical link in the page's language, and the links to the page in all languages. `url` has no language
 * parameter.
 */
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

/** The picture for pages without a picture of their own. */
const siteImage = (site: Site, language: Language) => ({
  url: new URL(SITE_SHARE_URL, site.url).href,
  alt: site.texts[language].siteTitle,
});

/** Title, links in all languages, OpenGraph, Twitter's card and JSON-LD. */
function headOf({ title, description, type, name, url, language, image, facts, isUnlisted }: Head): string {
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
    ...(isUnlisted ? ['<meta name="robots" content="noindex" />'] : []),
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
    description: shorten(plainDescription(event.description)),
    type: 'event',
    name: event.title,
    url,
    language,
    image: {
      url: new URL(shareUrl(event), site.url).href,
      alt: site.texts[language].pictureOf.replace('{title}', () => event.title),
    },
    facts: eventFacts(event, site.url, url, picture, now),
    isUnlisted: event.isSuspended === true,
  });
}

/** schema.org's status of an event. A postponed event keeps its old date until it has a new one. */
const EVENT_STATUS: Record<Event['status'], string> = {
  published: 'EventScheduled',
  postponed: 'EventPostponed',
  canceled: 'EventCancelled',
};

/** Whether tickets are available, in schema.org's terms (ItemAvailability). */
const AVAILABILITY: Record<SaleState, string> = {
  'on-sale': 'InStock',
  'not-yet': 'PreOrder',
  'sold-out': 'SoldOut',
  none: 'OutOfStock',
  postponed: 'OutOfStock',
  suspended: 'OutOfStock',
  ended: 'OutOfStock',
};

function eventFacts(event: Event, publicUrl: string, url: string, image: string | undefined, now: Date) {
  const { start, end } = whenOf(event);
  const { place } = event;
  return {
    '@type': 'Event',
    name: event.title,
    description: plainDescription(event.description),
    startDate: start,
    ...(end && { endDate: end }),
    url,
    ...(image && { image: [image] }),
    eventStatus: `https://schema.org/${EVENT_STATUS[event.status]}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.location,
      address: fullAddress(event),
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
export function organizerHead({ id, name, about }: Organizer, site: Site, language: Language = 'en'): string {
  const url = new URL(`/organizer/${id}`, site.url).href;
  const words = headWords[language];
  const shown = name ?? site.texts[language].nameless;
  return headOf({
    title: `${shown} · Beltway`,
    description: shorten(about || (name === null && words.namelessDescription) || words.organizerDescription(shown)),
    type: 'profile',
    name: shown,
    url,
    language,
    image: siteImage(site, language),
    facts: { '@type': 'Organization', name: shown, url },
  });
}

/** The head of the home page. Title and description are the same as in the built page. */
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

/**
 * Inserts the head into the page's HTML. It replaces the title and description, or follows them if it has no title
 * itself.
 */
export const withHead = (html: string, head: string): string =>
  head.startsWith('<title>')
    ? html.replace(DESCRIPTION, '').replace(TITLE, () => head)
    : html.replace(TITLE, (title) => `${title}\n    ${head}`);

/** The built page in one language: title, description and no-script text are translated. */
export function spoken(html: string, { texts }: Pick<Site, 'texts'>, language: Language): string {
  const { builtPage } = headWords[language];
  if (!builtPage) return html;
  return html
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(TITLE, () => `<title>${escapeHtml(texts[language].siteTitle)}</title>`)
    .replace(DESCRIPTION, () => `<meta name="description" content="${escapeHtml(builtPage.description)}" />\n    `)
    .replace(NO_SCRIPT, () => `<noscript>${escapeHtml(builtPage.noScript)}</noscript>`);
}
