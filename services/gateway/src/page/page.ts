import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Router, type Response } from 'express';
import { IdText } from '@beltway/contracts/common';
import { unavailable } from '@beltway/kit/problems';
import type { Found } from './events.ts';
import { eventHead, withHead } from './head.ts';

/** Pages the router of the frontend knows; any other path shows its not-found page, with the status that says so. */
const PAGES =
  /^\/(auth|tonight|following|organizer\/[1-9]\d{0,9}|ticket-checkout|ticket-success|my-tickets|saved|contact-messages|reported-comments|privacy|terms|refunds|accessibility|dashboard(\/events\/[1-9]\d{0,9})?)?\/?$/;

/** The built page, read again when it was built anew. While a build takes its place, the one before is served. */
function pageFile(folder: string): () => Promise<string> {
  const file = join(resolve(folder), 'index.html');
  let known: { built: number; html: string } | undefined;
  return async () => {
    try {
      const { mtimeMs } = await stat(file);
      if (known?.built !== mtimeMs) known = { built: mtimeMs, html: await readFile(file, 'utf8') };
    } catch (error) {
      if (!known)
        throw Object.assign(unavailable('The page is being built. Please try again in a moment.', 2), { cause: error });
    }
    return known!.html;
  };
}

export interface PageOptions {
  folder: string;
  publicUrl: string;
  lookUp: (eventId: number) => Promise<Found>;
}

/** The page for every path of the frontend, revalidated each time; an event's has its facts in its head. */
export function pageRoutes({ folder, publicUrl, lookUp }: PageOptions): Router {
  const page = pageFile(folder);
  const router = Router();
  const send = (res: Response, status: number, html: string) =>
    res.status(status).set({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }).send(html);

  router.get('/index.html', (_req, res) => res.redirect(301, '/'));
  router.get('/event/:id', async (req, res) => {
    const id = IdText.safeParse(req.params.id);
    const none: Found = { missing: true };
    const [html, { event, missing }] = await Promise.all([page(), id.success ? lookUp(id.data) : none]);
    send(res, missing ? 404 : 200, event ? withHead(html, eventHead(event, publicUrl)) : html);
  });
  router.get('/{*path}', async (req, res) => void send(res, PAGES.test(req.path) ? 200 : 404, await page()));
  return router;
}
