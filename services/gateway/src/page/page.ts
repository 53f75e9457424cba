import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { IdText } from '@beltway/contracts/common/basics';
import { asLanguage, type Language } from '@beltway/contracts/common/languages';
import { unavailable } from '@beltway/kit/problems';
import { representations, type Representations } from '../response-cache/representations.ts';
import { sendRepresentations } from '../response-cache/send.ts';
import { authScreen, checkoutScreen, eventScreen, homeScreen } from './first-screen.ts';
import { addressesOf, eventHead, homeHead, inScript, organizerHead, spoken, withHead } from './head.ts';
import type { PublicData } from './public-data.ts';
import { LISTED_PAGES } from './sitemap.ts';

/** Pages the router of the frontend knows; any other path shows its not-found page, with the status that says so. */
export const PAGES =
  /^\/(auth|account|verify-email|forgot-password|reset-password|tonight|following|saved|gallery|community(\/(questions|leaderboard|challenges|badges|referrals|connections)|\/(posts|questions)\/[1-9]\d{0,9})?|u\/[1-9]\d{0,9}|top-picks|unsubscribe|admin|customers|disputes|ops|reported-comments|moderation(\/(mine|appeal))?|ticket-checkout|ticket-success|my-tickets|contact-messages|payouts\/(return|refresh)|ad-pricing|ad-checkout(-success)?|admin\/(ads|gallery|referrals|top-picks)|ad\/[\w-]{1,36}|privacy|terms|refunds|accessibility|checkout(\/success)?|livestream-checkout|dashboard(\/events\/[1-9]\d{0,9})?|studio\/[1-9]\d{0,9}|test\/scripts)?\/?$/;

/** The built page, and the same with its styles inside, which needs no other file to be seen. */
export interface Built {
  html: string;
  styled: string;
}

const STYLESHEET = /<link rel="stylesheet"[^>]*\shref="\/(assets\/[\w.-]+\.css)"[^>]*>/;

/** The style sheet in place of the link to it. Without the file the link stays. */
async function withStyles(folder: string, html: string): Promise<string> {
  const [link, name] = STYLESHEET.exec(html) ?? [];
  if (!link || !name) return html;
  const css = await readFile(join(folder, name), 'utf8').catch(() => undefined);
  return css === undefined || /<\/style/i.test(css) ? html : html.replace(link, () => `<style>${css}</style>`);
}

/**
 * The built page, read again when it was built anew. While a build takes its place, the one before is served. Rejects while there is
 * none yet.
 */
export function builtPage(folder: string): () => Promise<Built> {
  const root = resolve(folder);
  const file = join(root, 'index.html');
  let known: { mtimeMs: number; built: Built } | undefined;
  return async () => {
    try {
      const { mtimeMs } = await stat(file);
      if (known?.mtimeMs !== mtimeMs) {
        const html = await readFile(file, 'utf8');
        known = { mtimeMs, built: { html, styled: await withStyles(root, html) } };
      }
    } catch (error) {
      if (!known)
        throw Object.assign(unavailable('The page is being built. Please try again in a moment.', 2), { cause: error });
    }
    return known!.built;
  };
}

const ROOT = '<div id="root"></div>';

/**
 * The page with its first screen and what the script needs to take it over (frontend/src/lib/events/first-screen.ts). Who reads
 * another language than the screen's does not see it.
 */
const withScreen = (html: string, screen: string, language: Language, data: object): string =>
  html.replace(
    ROOT,
    () =>
      `<div id="root">${screen}</div><script type="application/json" id="first-screen" lang="${language}">${inScript(data)}</script>`,
  );

/**
 * `?lang=` of the address, and nothing else of the request: whatever keeps a page by its address keeps one language.
 * Without it the page's script chooses, and what the HTML says is English.
 */
const languageOf = ({ query }: Request): Language =>
  asLanguage(typeof query['lang'] === 'string' ? query['lang'] : undefined) ?? 'en';

/** A filter shows other events, and what leads to sign-in has words of its own; a language changes nothing. */
const isPlain = ({ query }: Request): boolean => Object.keys(query).every((name) => name === 'lang');

const HEADERS: Array<[string, string]> = [['content-type', 'text/html; charset=utf-8']];
/** Pages that are kept ready, each with its compressed copies: some 100 kB. */
const MAX_MADE = 60;
/** ‘Today’ and ‘Ended’ come true while a page is kept. */
const MINUTE_MS = 60_000;

export interface PageOptions {
  built: () => Promise<Built>;
  publicUrl: string;
  data: PublicData;
  clock?: () => Date;
}

/**
 * The page for every path of the frontend, revalidated each time. Home, events and organisers have their facts in the
 * head; home, events, checkout and sign-in their first screen. What catalog does not say in time, the page's script asks for.
 */
export function pageRoutes({ built, publicUrl, data, clock = () => new Date() }: PageOptions): Router {
  const made = new LRUCache<string, { of: readonly unknown[]; page: Representations }>({ max: MAX_MADE });
  const router = Router();

  /** The page of this name: the one made before if it was made of the same. */
  function pageOf(name: string, of: readonly unknown[], make: () => string): Representations {
    const known = made.get(name);
    if (known && known.of.length === of.length && known.of.every((one, at) => one === of[at])) return known.page;
    const page = representations(HEADERS, Buffer.from(make()));
    made.set(name, { of, page });
    return page;
  }

  const send = (req: Request, res: Response, status: number, page: Representations) =>
    sendRepresentations(req, res, page, { status, cacheControl: 'no-cache' });
  const sendBare = async (req: Request, res: Response, status: number) => {
    const { html } = await built();
    const language = languageOf(req);
    const listed = LISTED_PAGES.find((path) => path === req.path);
    const page = pageOf(`${listed ?? ''} bare ${language}`, [html], () => {
      const said = spoken(html, language);
      return listed ? withHead(said, addressesOf(new URL(listed, publicUrl).href, language)) : said;
    });
    return send(req, res, status, page);
  };

  router.get('/index.html', (_req, res) => res.redirect(301, '/'));

  router.get('/', async (req, res) => {
    const { html, styled } = await built();
    const language = languageOf(req);
    // No hero while one filters.
    if (!isPlain(req)) {
      const page = pageOf(`/? ${language}`, [html], () =>
        withHead(spoken(html, language), homeHead(publicUrl, language)),
      );
      return send(req, res, 200, page);
    }
    const now = clock();
    const next = await data.nextUp(now);
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const page = pageOf(`/ ${language}`, [html, next, minute], () => {
      const head = withHead(spoken(styled, language), homeHead(publicUrl, language));
      return withScreen(head, homeScreen(next, now, language), language, { ...(next && { nextUp: next }) });
    });
    return send(req, res, 200, page);
  });

  router.get('/event/:id', async (req, res) => {
    const id = IdText.safeParse(req.params.id);
    const [{ html, styled }, event] = await Promise.all([built(), id.success ? data.event(id.data) : null]);
    if (!event) return sendBare(req, res, event === null ? 404 : 200);
    const now = clock();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const language = languageOf(req);
    const page = pageOf(`/event/${event.id} ${language}`, [html, event, minute], () => {
      const head = eventHead(event, publicUrl, now, language);
      const screen = eventScreen(event, now, language);
      return screen === undefined
        ? withHead(spoken(html, language), head)
        : withScreen(withHead(spoken(styled, language), head), screen, language, { event });
    });
    return send(req, res, 200, page);
  });

  router.get('/organizer/:id', async (req, res) => {
    const id = IdText.safeParse(req.params.id);
    const [{ html }, organizer] = await Promise.all([built(), id.success ? data.organizer(id.data) : null]);
    if (!organizer) return sendBare(req, res, organizer === null ? 404 : 200);
    const language = languageOf(req);
    const page = pageOf(`/organizer/${organizer.id} ${language}`, [html, organizer], () =>
      withHead(spoken(html, language), organizerHead(organizer, publicUrl, language)),
    );
    return send(req, res, 200, page);
  });

  router.get('/auth', async (req, res) => {
    const { html, styled } = await built();
    if (!isPlain(req)) return sendBare(req, res, 200);
    const language = languageOf(req);
    const page = pageOf(`/auth ${language}`, [html], () =>
      withScreen(spoken(styled, language), authScreen(language), language, {}),
    );
    return send(req, res, 200, page);
  });

  router.get('/ticket-checkout', async (req, res) => {
    const id = IdText.safeParse(req.query['eventId']);
    const [{ html, styled }, event] = await Promise.all([built(), id.success ? data.event(id.data) : null]);
    if (!event) return sendBare(req, res, 200);
    const language = languageOf(req);
    const now = clock();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const screen = checkoutScreen(event, now, language);
    if (screen === undefined) return sendBare(req, res, 200);
    // While a sale runs, its counts change all the time and the page does not: the script asks for them anyway.
    const page = pageOf(`/ticket-checkout/${event.id} ${language}`, [html, screen, minute], () =>
      withScreen(spoken(styled, language), screen, language, { event }),
    );
    return send(req, res, 200, page);
  });

  router.get('/{*path}', (req, res) => sendBare(req, res, PAGES.test(req.path) ? 200 : 404));
  return router;
}
