import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import express, { Router } from 'express';
import { Event } from '@beltway/contracts/catalog';
import { notFound } from '@beltway/kit/problems';
import { eventHead } from './head.ts';

const YEAR = 31_536_000;

/** Pages the router of the frontend knows; any other path shows its not-found page, with the status that says so. */
const PAGES = /^\/(auth|event\/\d+|ticket-checkout|ticket-success|my-tickets)?\/?$/;

/** Serves the built frontend: hashed assets for ever, the page itself never cached, the facts of an event in the HTML of its page. */
export function frontendRoutes(folder: string, publicUrl: string, catalogUrl: string): Router {
  const root = resolve(folder);
  const router = Router();
  router.use(
    '/assets',
    express.static(join(root, 'assets'), { immutable: true, maxAge: YEAR * 1_000, index: false, redirect: false }),
    () => {
      throw notFound('This file');
    },
  );
  router.use(express.static(root, { index: false, maxAge: 3_600_000, redirect: false }));
  router.get('/{*path}', async (req, res) => {
    const file = join(root, 'index.html');
    if (!existsSync(file)) throw notFound('The built frontend');
    let html = await readFile(file, 'utf8');
    const eventId = /^\/event\/(\d{1,10})$/.exec(req.path)?.[1];
    let status = PAGES.test(req.path) ? 200 : 404;
    if (eventId) {
      const answer = await fetch(new URL(`/api/events/${eventId}`, catalogUrl), {
        signal: AbortSignal.timeout(1_500),
      }).catch(() => undefined);
      if (answer?.status === 404) status = 404;
      const event = answer?.ok ? Event.safeParse(await answer.json()) : undefined;
      if (event?.success) html = html.replace(/<title>.*?<\/title>/s, () => eventHead(event.data, publicUrl));
    }
    res.status(status).set({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }).send(html);
  });
  return router;
}
