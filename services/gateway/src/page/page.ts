import { setTimeout as wait } from 'node:timers/promises';
import { Router, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { IdText } from '@beltway/contracts/common/basics';
import type { FirstScreenOrder } from '@beltway/contracts/common/first-screen';
import { asLanguage, type Language } from '@beltway/contracts/common/languages';
import { saleState } from '@beltway/contracts/ticketing/sale-state';
import { representations, type Representations } from '../response-cache/representations.ts';
import { sendRepresentations } from '../response-cache/send.ts';
import type { Built } from './built.ts';
import type { FirstScreenRenderer } from './first-screens.ts';
import { addressesOf, eventHead, homeHead, inScript, organizerHead, spoken, withHead, type Site } from './head.ts';
import type { PublicData } from './public-data.ts';
import { LISTED_PAGES } from './sitemap.ts';

const ROOT = '<div id="root"></div>';

/**
 * Returns the HTML with its first screen, and with the data for the script that replaces the screen
 * (frontend/src/lib/events/first-screen.ts). The frontend hides the screen from readers of another language.
 */
const withScreen = (html: string, screen: string, language: Language, data: object): string =>
  html.replace(
    ROOT,
    () =>
      `<div id="root">${screen}</div><script type="application/json" id="first-screen" lang="${language}">${inScript(data)}</script>`,
  );

/**
 * Reads only `?lang=` from the request, so a cache with the URL as its key stores one language per entry. Without the
 * parameter the HTML is in English, and the frontend's script chooses the language.
 */
const languageOf = ({ query }: Request): Language =>
  asLanguage(typeof query['lang'] === 'string' ? query['lang'] : undefined) ?? 'en';

/** Whether the URL has no parameter except `lang`. */
const isPlain = ({ query }: Request): boolean => Object.keys(query).every((name) => name === 'lang');

const HEADERS: Array<[string, string]> = [['content-type', 'text/html; charset=utf-8']];
/** Maximum cached pages. Each takes about 100 kB with its compressed copies. */
const MAX_MADE = 60;
/** Pages are rendered again each minute, because ‘Today’ and ‘Ended’ depend on the time. */
const MINUTE_MS = 60_000;

/** A cached page, and the inputs it was made from. */
interface Made {
  of: readonly unknown[];
  page: Representations;
  /** The page's first screen. */
  screen?: string | undefined;
}

const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS);

const isOf = (known: { of: readonly unknown[] } | undefined, of: readonly unknown[]): boolean =>
  known?.of.length === of.length && known.of.every((one, at) => one === of[at]);

export interface PageOptions {
  built: () => Promise<Built>;
  publicUrl: string;
  data: PublicData;
  screens: FirstScreenRenderer;
  clock?: () => Date;
}

/** A page that gets a first screen. */
interface Screened {
  /** The page's key in the cache. Includes the language. */
  name: string;
  order: FirstScreenOrder;
  /** The page's inputs, apart from the built HTML. */
  of: readonly unknown[];
  /** Writes the page's facts into its head. */
  withHead?: (html: string) => string;
  /** Data that the script takes over. */
  data: object;
  /** Whether to keep the cached page, even with older data, while its first screen is unchanged. */
  dataMayBeOld?: boolean;
}

/**
 * Serves HTML for every path of the frontend; browsers revalidate it each time. Home, event and organizer pages have
 * their facts in the head. Home, event, organizer, checkout, sign-in and community pages have a first
 * screen. If catalog does not return data in time, the frontend's script fetches it.
 */
export function pageRoutes({ built, publicUrl, data, screens, clock = () => new Date() }: PageOptions): Router {
  const made = new LRUCache<string, Made>({ max: MAX_MADE });
  const making = new Map<string, { of: readonly unknown[]; page: Promise<Representations | undefined> }>();
  const router = Router();
  const siteOf = ({ texts }: Built): Site => ({ url: publicUrl, texts });
  const representationsOf = (html: string) => representations(HEADERS, Buffer.from(html));

  /** Adds the links to the page in all languages, if search engines list the page. */
  const withLinks = (html: string, path: string, language: Language): string =>
    LISTED_PAGES.includes(path) ? withHead(html, addressesOf(new URL(path, publicUrl).href, language)) : html;

  /** Returns the cached page of this name. If the page's inputs have changed, makes the page again. */
  function pageOf(name: string, of: readonly unknown[], make: () => string): Representations {
    const known = made.get(name);
    if (known && isOf(known, of)) return known.page;
    const page = representationsOf(make());
    made.set(name, { of, page });
    return page;
  }

  const send = (req: Request, res: Response, status: number, page: Representations) =>
    sendRepresentations(req, res, page, { status, cacheControl: 'no-cache' });

  /** Makes a page with its first screen. Returns undefined when the renderer is busy. */
  async function make(key: string, of: readonly unknown[], build: Built, screened: Screened) {
    const { order, withHead = (page) => page, data, dataMayBeOld } = screened;
    const { html, version } = build;
    const drawn = await screens.render(order, version);
    if (drawn === 'busy') return undefined;
    // A failed render is not retried until the inputs change.
    const screen = drawn === 'failed' ? undefined : drawn.html;
    const kept = made.get(key);
    const isSame = dataMayBeOld && kept && kept.of[0] === html && kept.screen === screen;
    const whole = () =>
      screen === undefined
        ? withHead(spoken(html, build, order.language))
        : withScreen(withHead(spoken(build.styled, build, order.language)), screen, order.language, data);
    const page = isSame ? kept.page : representationsOf(whole());
    made.set(key, { of, page, screen });
    return page;
  }

  /** Concurrent requests share one render. A request that would wait too long gets the page without a first screen. */
  async function sendScreened(req: Request, res: Response, build: Built, screened: Screened) {
    const { name, order, withHead = (page) => page } = screened;
    const key = `${name} ${order.language}`;
    const of = [build.html, ...screened.of];
    const known = made.get(key);
    if (known && isOf(known, of)) return send(req, res, 200, known.page);
    let under = making.get(key);
    if (!under || !isOf(under, of)) {
      under = { of, page: make(key, of, build, screened) };
      making.set(key, under);
      const done = under;
      void under.page.finally(() => making.get(key) === done && making.delete(key));
    }
    const page = await Promise.race([under.page, wait(screens.waitMs, undefined, { ref: false })]);
    return send(req, res, 200, page ?? representationsOf(withHead(spoken(build.html, build, order.language))));
  }

  const sendBare = async (req: Request, res: Response, status: number) => {
    const build = await built();
    const { html } = build;
    const language = languageOf(req);
    const name = LISTED_PAGES.includes(req.path) ? req.path : '';
    const make = () => withLinks(spoken(html, build, language), name, language);
    const page = pageOf(`${name} bare ${language}`, [html], make);
    return send(req, res, status, page);
  };

  router.get('/index.html', (_req, res) => res.redirect(301, '/'));

  router.get('/', async (req, res) => {
    const build = await built();
    const language = languageOf(req);
    const withHomeHead = (html: string) => withHead(html, homeHead(siteOf(build), language));
    // With filters set, the home page starts without its hero, so it gets no first screen.
    if (!isPlain(req)) {
      const bare = () => withHomeHead(spoken(build.html, build, language));
      return send(req, res, 200, pageOf(`/? ${language}`, [build.html], bare));
    }
    const now = clock();
    const comingUp = await data.comingUp(now);
    return sendScreened(req, res, build, {
      name: '/',
      order: { screen: 'home', language, now: now.getTime(), comingUp },
      of: [...comingUp, minuteOf(now)],
      withHead: withHomeHead,
      data: { comingUp },
    });
  });

  router.get('/event/:id', async (req, res) => {
    const id = IdText.safeParse(req.params.id);
    const [build, event] = await Promise.all([built(), id.success ? data.event(id.data) : null]);
    if (!event) return sendBare(req, res, event === null ? 404 : 200);
    const name = `/event/${event.id}`;
    const language = languageOf(req);
    const now = clock();
    const of = [event, minuteOf(now)];
    const withEventHead = (html: string) => withHead(html, eventHead(event, siteOf(build), now, language));
    // A canceled or postponed event gets no first screen: its page starts with a banner, which the script renders.
    if (event.status !== 'published') {
      const bare = () => withEventHead(spoken(build.html, build, language));
      return send(req, res, 200, pageOf(`${name} ${language}`, [build.html, ...of], bare));
    }
    const order = { screen: 'event' as const, language, now: now.getTime(), event };
    return sendScreened(req, res, build, { name, order, of, withHead: withEventHead, data: { event } });
  });

  router.get('/organizer/:id', async (req, res) => {
    const id = IdText.safeParse(req.params.id);
    const [build, organizer] = await Promise.all([built(), id.success ? data.organizer(id.data) : null]);
    if (!organizer) return sendBare(req, res, organizer === null ? 404 : 200);
    const language = languageOf(req);
    const name = `/organizer/${organizer.id}`;
    const withOrganizerHead = (html: string) => withHead(html, organizerHead(organizer, siteOf(build), language));
    const upcoming = await data.nextOf(organizer.id);
    if (!upcoming) {
      const bare = () => withOrganizerHead(spoken(build.html, build, language));
      return send(req, res, 200, pageOf(`${name} ${language}`, [build.html, organizer], bare));
    }
    const now = clock();
    const [next] = upcoming;
    return sendScreened(req, res, build, {
      name,
      order: { screen: 'organizer', language, now: now.getTime(), organizer, next },
      of: [organizer, upcoming, minuteOf(now)],
      withHead: withOrganizerHead,
      data: { organizer, next },
      dataMayBeOld: true,
    });
  });

  // With parameters, these pages show other texts and filters.
  for (const screen of ['auth', 'community'] as const)
    router.get(`/${screen}`, async (req, res) => {
      if (!isPlain(req)) return sendBare(req, res, 200);
      const language = languageOf(req);
      const now = clock();
      const order = { screen, language, now: now.getTime() };
      const name = `/${screen}`;
      const withItsLinks = (html: string) => withLinks(html, name, language);
      return sendScreened(req, res, await built(), {
        name,
        order,
        // A failed render is retried after a minute.
        of: [minuteOf(now)],
        withHead: withItsLinks,
        data: {},
        dataMayBeOld: true,
      });
    });

  router.get('/ticket-checkout', async (req, res) => {
    const id = IdText.safeParse(req.query['eventId']);
    const [build, event] = await Promise.all([built(), id.success ? data.event(id.data) : null]);
    const now = clock();
    if (!event || saleState(event, now) !== 'on-sale') return sendBare(req, res, 200);
    return sendScreened(req, res, build, {
      name: `/ticket-checkout/${event.id}`,
      order: { screen: 'checkout', language: languageOf(req), now: now.getTime(), event },
      of: [event, minuteOf(now)],
      data: { event },
      // During a sale the event's counts change constantly. The cached page remains valid, because its script fetches
      // the counts anyway.
      dataMayBeOld: true,
    });
  });

  router.get('/{*path}', async (req, res) => {
    const { hasPath } = await built();
    return sendBare(req, res, hasPath(req.path) ? 200 : 404);
  });
  return router;
}
