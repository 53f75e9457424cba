import { categoryOf, type MetroLine } from '@beltway/contracts/catalog/categories';
import type { Event } from '@beltway/contracts/catalog/events';
import { directionsUrl } from '@beltway/contracts/catalog/event-links';
import { LANGUAGES, LOCALES, type Language } from '@beltway/contracts/common/languages';
import { storedSizes, tintOf } from '@beltway/contracts/media/pictures';
import { posterGround } from '@beltway/contracts/media/poster-ground';
import { posterUrl } from '@beltway/contracts/media/poster';
import { refundLine, refundTerms } from '@beltway/contracts/ticketing/refund-promise';
import { isEnded, isFree, saleState, sellsTickets } from '@beltway/contracts/ticketing/sale-state';
import { dayOf } from '@beltway/contracts/common/times';
import { clockText, nearDayName, whenText } from '@beltway/contracts/common/when';
import { escapeHtml } from '@beltway/kit/html';
import { wordsIn } from './words/words.ts';

/**
 * The first screen of `/`, `/event/{id}`, `/ticket-checkout` and `/auth` before any script: the same elements and classes as the components of the
 * page, so that these take their places without a jump, and the same words (words/) as its catalogues. `e2e/first-screen.e2e.ts` compares both. What depends on who is
 * there is left out.
 */

// As frontend/src/lib/events/event-lines.tsx.
const SIGNS: Record<MetroLine, string> = {
  red: 'bg-metro-red text-on-metro-red',
  orange: 'bg-metro-orange text-on-metro-orange',
  silver: 'bg-metro-silver text-on-metro-silver',
  blue: 'bg-metro-blue text-on-metro-blue',
  yellow: 'bg-metro-yellow text-on-metro-yellow',
  green: 'bg-metro-green text-on-metro-green',
};
const BADGE =
  'tabular inline-flex items-center gap-1 whitespace-nowrap rounded-sm px-2 py-0.5 text-note font-strong [&_svg]:size-3.5';
const BUTTON =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-full border px-5 py-2 text-center text-body font-strong';

const text = escapeHtml;
const classes = (...names: Array<string | false>) => `class="${text(names.filter(Boolean).join(' '))}"`;

const formatIn = <Format>(make: (locale: string) => Format) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(LOCALES[language])])) as Record<Language, Format>;
const dollars = formatIn((locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }));
const longDay = formatIn(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      ...{ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
    }),
);
const longDate = (event: Event, language: Language): string =>
  longDay[language].format(new Date(dayOf(event.eventDate)));
const times = ({ eventStartTime: start, eventEndTime: end }: Event, language: Language): string =>
  end ? `${clockText(start, language)} – ${clockText(end, language)}` : clockText(start, language);

interface Picture {
  src: string;
  alt: string;
  sizes: string;
  tint: string | null;
  className: string;
  /** For a picture that only one of two layouts shows: the browser loads it where it is seen. */
  isLazy?: boolean;
}

/** As frontend/src/ui/poster.tsx. */
function picture({ src, alt, sizes, tint, className, isLazy = false }: Picture): string {
  const sources = storedSizes(src)?.map(({ url, width }) => `${url} ${width}w`);
  const ground = tintOf(src) ?? tint;
  return `<div ${classes('relative overflow-hidden bg-skeleton after:pointer-events-none after:absolute after:inset-0 after:rounded-[inherit] after:border after:border-ink/15', className)}${
    ground ? ` style="background-color:${text(ground)}"` : ''
  }><img src="${text(src)}"${sources ? ` sizes="${text(sizes)}" srcset="${text(sources.join(', '))}"` : ''} alt="${text(
    alt,
  )}" ${isLazy ? 'loading="lazy"' : 'loading="eager" fetchpriority="high"'} decoding="async" class="absolute inset-0 size-full object-cover"></div>`;
}

/** In place of the icons, of their size; drawn here in a few strokes. */
const icon = (strokes: string, className = ''): string =>
  `<svg aria-hidden="true" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" ${classes(className)}>${strokes}</svg>`;
const CALENDAR = icon('<rect x="3" y="4" width="18" height="18" rx="2"/><path d="M3 10h18M8 2v4M16 2v4"/>');
const CLOCK = icon('<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>');
const PIN = '<circle cx="12" cy="10" r="3"/><path d="M12 22C7 17 4 14 4 10a8 8 0 0 1 16 0c0 4-3 7-8 12z"/>';
const TICKET = icon('<rect x="2" y="5" width="20" height="14" rx="2"/><path d="M13 5v14"/>');

/** The mark (frontend/src/ui/mark.tsx). */
const mark = (className: string, turn = 0): string =>
  `<svg aria-hidden="true" viewBox="0 0 32 32" ${classes(className)}><circle cx="16" cy="16" r="11" fill="none" stroke="currentColor" stroke-width="6" stroke-dasharray="57 12.1" transform="rotate(${turn - 13} 16 16)"/></svg>`;

const header = `<header class="sticky top-0 z-30 border-b border-line bg-ground"><div class="page flex h-16 items-center gap-2"><a href="/" class="me-3 flex min-h-11 items-center gap-2 font-display max-[22rem]:me-0 text-title font-strong tracking-tight">${mark(
  'size-7 text-accent-ink',
)}<span class="max-[15rem]:sr-only">Beltway</span></a></div></header>`;

/** A little higher than the screen, as the whole page will be: no scroll bar comes and moves everything. */
const layout = (content: string): string =>
  `<div class="flex min-h-dvh flex-col" style="min-height:calc(100dvh + 1px)">${header}<main class="flex-1 overflow-x-clip outline-none">${content}</main></div>`;

function fact(sign: string, name: string, value: string, className = ''): string {
  return `<div ${classes('flex items-start gap-3 [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-soft', className)}>${sign}<dt class="sr-only">${name}</dt><dd class="min-w-0 tabular">${value}</dd></div>`;
}

function facts(event: Event, now: Date, language: Language): string {
  const words = wordsIn[language];
  const near = nearDayName(event.eventDate, now, language);
  const place = `<span class="break-words">${text(event.location)}</span><a href="${text(
    directionsUrl(event.location),
  )}" target="_blank" rel="noopener noreferrer" class="ms-2 inline-flex min-h-6 items-center whitespace-nowrap underline underline-offset-4">${words.directions}<span class="sr-only">${words.newTab}</span></a>`;
  return `<dl class="grid gap-2 text-body">${[
    fact(CALENDAR, words.date, text(`${near ? `${near}, ` : ''}${longDate(event, language)}`)),
    fact(CLOCK, words.time, text(times(event, language))),
    fact(icon(PIN), words.place, place),
    isFree(event, now) ? fact(TICKET, words.entry, words.freeEntryNoTicket, 'lg:hidden') : '',
  ].join('')}</dl>`;
}

const tags = (event: Event, language: Language): string =>
  event.tags.length === 0
    ? ''
    : `<ul aria-label="${wordsIn[language].tags}" class="flex flex-wrap gap-2">${event.tags
        .map(
          (tag) =>
            `<li><a href="/?tag=${text(encodeURIComponent(tag.toWellFormed()))}" ${classes(BUTTON, 'bg-surface text-ink border-edge px-4 text-note')}>${text(tag)}</a></li>`,
        )
        .join('')}</ul>`;

/** As PremiumBadge of frontend/src/lib/events/event-lines.tsx; the word is that of the package, in every language. */
const premiumBadge = ({ promotionLevel }: Event): string =>
  promotionLevel === 'premium' || promotionLevel === 'livestream'
    ? `<span ${classes(BADGE, 'bg-accent-soft text-accent-ink')}>PREMIUM</span>`
    : '';

/** As frontend/src/features/event-page/event-article.tsx. */
function article(event: Event, now: Date, language: Language): string {
  const words = wordsIn[language];
  const beside = event.imageUrl?.startsWith('/media/posters/') ?? false;
  const isLong = event.title.length > 40;
  const category = categoryOf(event.tags);
  const badges = [
    `<span ${classes('inline-flex items-center rounded-full px-2.5 py-0.5 text-note font-strong', SIGNS[category.line])}>${text(words.category(category))}</span>`,
    premiumBadge(event),
    event.isSponsored ? `<span ${classes(BADGE, 'bg-accent-soft text-accent-ink')}>${words.sponsored}</span>` : '',
    isEnded(event, now) ? `<span ${classes(BADGE, 'bg-sunken text-ink-soft')}>${words.ended}</span>` : '',
  ].join('');
  return `<article class="grid min-w-0 gap-6 lg:gap-8"><div ${classes(
    'grid gap-5 lg:gap-8',
    beside && 'md:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] md:items-center',
  )}>${picture({
    src: event.imageUrl ?? posterUrl(event),
    alt: beside ? '' : words.pictureOf(event.title),
    sizes: '(width >= 64rem) 52rem, 100vw',
    tint: beside || !event.imageUrl ? posterGround(event) : null,
    className: 'aspect-[16/10] rounded-lg shadow-card',
  })}<header class="grid gap-3 lg:gap-4"><div class="flex flex-wrap items-center gap-2">${badges}</div><h1 ${classes(
    beside || isLong ? 'text-heading' : 'text-heading md:text-display',
  )}>${text(event.title)}</h1>${facts(event, now, language)}</header></div><p class="max-w-prose whitespace-pre-line break-words">${text(
    event.description,
  )}</p>${tags(event, language)}</article>`;
}

/** The head of the tickets' box (frontend/src/features/event-page/tickets-box.tsx); below it, it grows. */
const price = (event: Event, language: Language): string =>
  sellsTickets(event)
    ? `<section aria-label="${wordsIn[language].tickets}" class="grid gap-3 rounded-lg border border-line bg-surface p-5 shadow-card"><div class="flex flex-wrap items-start justify-between gap-3"><p><span class="block font-display text-heading font-strong tabular">${text(
        dollars[language].format(Number(event.ticketPrice)),
      )}</span><span class="text-note text-ink-soft">${wordsIn[language].perTicket}</span></p></div></section>`
    : '';

/** The place of a live stream and its chat, which the script fills: as frontend/src/features/live/stream-space.tsx. */
const streamSpace = (event: Event, language: Language): string =>
  `<div class="grid grid-cols-[minmax(0,1fr)] gap-6 lg:col-span-2"><section class="grid grid-cols-[minmax(0,1fr)] gap-3"><h2 class="text-title">${wordsIn[language].liveStream}</h2><div class="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_auto]"><div class="grid content-start overflow-hidden rounded-lg border border-line bg-surface shadow-card"><div class="grid gap-2"><div class="relative aspect-video overflow-hidden bg-sunken"><img src="${text(
    event.imageUrl ?? posterUrl(event),
  )}" alt="" class="size-full object-cover"></div><p class="text-note">&nbsp;</p></div></div><div class="relative lg:w-[21rem] lg:min-h-[30rem] lg:[&amp;&gt;*]:absolute lg:[&amp;&gt;*]:inset-0 lg:[&amp;&gt;*]:h-auto"><div class="h-[34rem]"></div></div></div></section></div>`;

/**
 * The first screen of an event's page; undefined for one that is cancelled or postponed, whose banner comes first and is
 * the script's.
 */
export function eventScreen(event: Event, now: Date, language: Language): string | undefined {
  if (event.status !== 'published') return undefined;
  const isLive = event.isLivestream && event.livestreamStatus === 'live';
  return layout(
    `<div class="page grid grid-cols-1 gap-6 py-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-12 lg:py-10${isLive ? ' lg:grid-rows-[auto_auto_1fr]' : ''}">${isLive ? streamSpace(event, language) : ''}${article(event, now, language)}<div class="grid grid-cols-1 gap-4 lg:sticky lg:top-24 lg:row-span-2">${price(event, language)}</div></div>`,
  );
}

/** As When of frontend/src/lib/events/event-lines.tsx. */
const when = (event: Event, now: Date, language: Language, className: string): string =>
  `<time datetime="${text(event.eventDate)}" ${classes('tabular', className)}><span aria-hidden="true">${text(
    whenText(event, now, language),
  )}</span><span class="sr-only">${text(`${longDate(event, language)}, ${times(event, language)}`)}</span></time>`;

/** As NextUp of frontend/src/features/home/hero.tsx. */
function nextUp(event: Event, now: Date, language: Language): string {
  const words = wordsIn[language];
  const isPoster = event.imageUrl?.startsWith('/media/posters/');
  const plain = posterUrl(event, 'large', 'plain');
  const shown = picture({
    src: isPoster || !event.imageUrl ? plain : event.imageUrl,
    alt: '',
    sizes: '(width >= 64rem) 20rem, 6rem',
    tint: isPoster || !event.imageUrl ? posterGround(event) : null,
    className: 'size-24 shrink-0 rounded-md max-[22rem]:hidden lg:aspect-2/1 lg:size-auto',
  });
  const cost = priceText(event, now, language);
  return `<div class="relative ms-18 min-w-0 flex-1 max-[15rem]:ms-4 lg:ms-52"><a href="/event/${event.id}" data-testid="next-up" class="flex items-center gap-3.5 rounded-lg border border-line bg-raised p-2.5 shadow-float transition-[border-color] duration-(--duration-base) hover:border-edge lg:block">${shown}<span class="grid min-w-0 gap-0.5 lg:gap-1 lg:px-1.5 lg:pb-1 lg:pt-3"><span class="flex flex-wrap justify-between gap-x-4 text-note"><span class="text-ink-soft max-lg:sr-only">${words.nextUp}</span><span class="flex flex-wrap items-center gap-x-2">${premiumBadge(event)}${when(
    event,
    now,
    language,
    'font-strong',
  )}</span></span><span class="line-clamp-2 font-display text-body leading-tight font-strong tracking-tight lg:text-title">${text(
    event.title,
  )}</span><span class="flex items-start gap-1.5 text-note text-ink-soft">${icon(
    PIN,
    'mt-[0.2em] size-[1.05em] shrink-0',
  )}<span class="sr-only">${words.where}</span>${text(event.location)}</span>${
    cost ? `<span class="tabular text-note font-strong">${text(cost)}</span>` : ''
  }</span></a></div>`;
}

function priceText(event: Event, now: Date, language: Language): string | undefined {
  if (sellsTickets(event)) return dollars[language].format(Number(event.ticketPrice));
  return isFree(event, now) ? wordsIn[language].freeEntry : undefined;
}

/** The first screen of the home page, as frontend/src/features/home/hero.tsx; without an event where none is known. */
export function homeScreen(next: Event | undefined, now: Date, language: Language): string {
  const words = wordsIn[language];
  const ring = (className: string) =>
    `<div ${classes(className)}>${mark('size-36 text-accent lg:size-[21rem]', 45)}</div>`;
  return layout(
    `<div class="relative"><section aria-label="${words.welcome}" class="overflow-hidden"><div class="page grid grid-cols-[minmax(0,1fr)] items-center gap-x-10 gap-y-6 pb-6 pt-16 max-[15rem]:pt-24 lg:grid-cols-[minmax(0,1fr)_33rem] lg:pb-8 lg:pt-14"><div><h1 class="max-w-[13ch] text-display">${words.headline}</h1><p class="mt-3 max-w-[46ch] text-pretty text-ink-soft lg:mt-4 lg:text-title lg:leading-normal"><span class="max-lg:hidden">${words.leadWide}</span>${words.lead}</p><div class="mt-4 flex flex-wrap gap-3 lg:mt-6"><a href="#events" ${classes(
      BUTTON,
      'bg-accent text-on-accent border-transparent',
    )}>${words.find}</a><a href="#launch" ${classes(
      BUTTON,
      'bg-surface text-ink border-edge',
    )}>${words.launch}</a></div></div><div class="relative flex min-h-36 items-center lg:min-h-[21rem]">${ring(
      'absolute start-0 top-1/2 -translate-y-1/2',
    )}${next ? nextUp(next, now, language) : ''}</div></div></section></div>`,
  );
}

/** Of a checkout, as CheckoutOpening of frontend/src/features/checkout/checkout.tsx; undefined when no tickets can be had now. */
export function checkoutScreen(event: Event, now: Date, language: Language): string | undefined {
  if (saleState(event, now) !== 'on-sale') return undefined;
  const { firstStep, getTickets } = wordsIn[language];
  const poster = (sizes: string, className: string) =>
    event.imageUrl ? picture({ src: event.imageUrl, alt: '', sizes, tint: null, className, isLazy: true }) : '';
  const words = `<div class="grid min-w-0 content-center gap-0.5"><h2 class="text-title font-strong">${text(
    event.title,
  )}</h2>${when(event, now, language, 'text-note text-ink-soft')}<p class="text-note text-ink-soft">${text(event.location)}</p><p class="text-note text-ink-soft">${text(
    refundLine(refundTerms(event.refundDeadlineHours, event, now), language),
  )}</p></div>`;
  const narrow = `<aside class="flex gap-3 lg:hidden">${poster(
    '6rem',
    'aspect-[16/10] w-24 shrink-0 self-center rounded-md max-[15rem]:hidden',
  )}${words}</aside>`;
  const wide = `<aside class="sticky top-24 overflow-hidden rounded-lg border border-line bg-surface shadow-card max-lg:hidden">${poster(
    '24rem',
    'aspect-[16/10]',
  )}<div class="p-5">${words}</div></aside>`;
  return layout(
    `<div class="page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[minmax(0,36rem)_22rem] lg:items-start lg:justify-between lg:gap-12 lg:py-12"><div class="lg:order-last lg:h-full">${narrow}${wide}</div><section class="grid min-w-0 max-w-xl grid-cols-1 gap-5 lg:gap-6"><header><p class="text-note text-ink-soft">${firstStep}</p><h1 class="text-heading">${getTickets}</h1></header></section></div>`,
  );
}

/** Of sign-in when nothing special leads there, as frontend/src/routes/account/auth.tsx. */
export const authScreen = (language: Language): string =>
  layout(
    `<div class="page grid grid-cols-1 items-start gap-x-20 gap-y-8 py-8 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]"><div class="lg:sticky lg:top-28"><h1 class="text-heading lg:text-display">${wordsIn[language].comeIn}</h1><p class="mt-3 max-w-[42ch] text-ink-soft lg:mt-5 lg:text-title lg:leading-normal">${wordsIn[language].whyAccount}</p>${mark(
      'mt-14 hidden size-64 text-accent lg:block',
    )}</div></div>`,
  );
