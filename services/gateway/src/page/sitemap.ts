import { Router, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { SITEMAP_PART, SitemapPart, SitemapSize } from '@beltway/contracts/sitemap';
import type { InternalClient } from '@beltway/kit/internal';
import { notFound } from '@beltway/kit/problems';

/** Search engines come seldom, and new events need not be there at once. */
const KEPT_MS = 10 * 60_000;
/** Some 800 kB each at most. */
const MAX_KEPT = 20;
/** A sitemap index may name so many (sitemaps.org). */
const MAX_PARTS = 50_000;

/** Pages that say something to who comes from a search engine. */
export const LISTED_PAGES = [
  '/',
  '/tonight',
  '/community',
  '/community/questions',
  '/ad-pricing',
  '/privacy',
  '/terms',
  '/refunds',
  '/accessibility',
];
/** Pages that are somebody's own. Calls of the API stay allowed: pages are made of them. */
const OWN = [
  ...[
    '/account',
    '/ad/',
    '/ad-checkout-success',
    '/admin/',
    '/checkout',
    '/contact-messages',
    '/dashboard',
    '/following',
    '/gallery',
    '/livestream-checkout',
    '/my-tickets',
    '/ops',
    '/payouts/',
    '/reported-comments',
    '/saved',
    '/studio/',
    '/u/',
  ],
  ...['/forgot-password', '/reset-password', '/verify-email'],
  ...['/ticket-success', '/unsubscribe', '/dev/', '/sandbox/'],
];

const xml = (root: string, entry: string, addresses: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses
    .map((address) => `<${entry}><loc>${address}</loc></${entry}>`)
    .join('\n')}\n</${root}>\n`;

/** `robots.txt`, and the sitemap: an index, the pages, and the events and organisers in parts (docs/product.md#search-engines). */
export function sitemapRoutes({ catalog, publicUrl }: { catalog: Pick<InternalClient, 'get'>; publicUrl: string }) {
  const router = Router();
  // Paths of ours have nothing in them that XML reads otherwise.
  const address = (path: string) => new URL(path, publicUrl).href.replace(/&/g, '&amp;');
  const send = (res: Response, text: string) =>
    res.set({ 'cache-control': 'public, max-age=600', 'content-type': 'application/xml; charset=utf-8' }).send(text);

  /** Asked for once for all who wait; what failed is asked for again. */
  const kept = new LRUCache<string, Promise<unknown>>({ max: MAX_KEPT, ttl: KEPT_MS });
  function ask(path: string): Promise<unknown> {
    const known = kept.get(path);
    if (known) return known;
    const asking = catalog.get(path).catch((error: unknown) => {
      kept.delete(path);
      throw error;
    });
    kept.set(path, asking);
    return asking;
  }
  const partCount = async (): Promise<number> => {
    const { lastEventId } = SitemapSize.parse(await ask('/internal/sitemap'));
    return Math.min(Math.ceil(lastEventId / SITEMAP_PART), MAX_PARTS - 1);
  };

  router.get('/robots.txt', (_req, res) => {
    const lines = [
      'User-agent: *',
      ...OWN.map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${address('/sitemap.xml')}`,
    ];
    res
      .set('cache-control', 'public, max-age=3600')
      .type('text/plain')
      .send(`${lines.join('\n')}\n`);
  });
  router.get('/sitemap.xml', async (_req, res) => {
    const parts = Array.from({ length: (await partCount()) + 1 }, (_, at) => address(`/sitemap-${at}.xml`));
    send(res, xml('sitemapindex', 'sitemap', parts));
  });
  router.get('/sitemap-:part.xml', async (req, res) => {
    const part = /^(0|[1-9]\d{0,4})$/.exec(req.params.part)?.[0];
    if (part === undefined || Number(part) > (await partCount())) throw notFound();
    if (part === '0') return void send(res, xml('urlset', 'url', LISTED_PAGES.map(address)));
    const { eventIds, organizerIds } = SitemapPart.parse(await ask(`/internal/sitemap/${part}`));
    const paths = [...eventIds.map((id) => `/event/${id}`), ...organizerIds.map((id) => `/organizer/${id}`)];
    send(res, xml('urlset', 'url', paths.map(address)));
  });
  return router;
}
