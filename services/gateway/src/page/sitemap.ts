import { Router, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { SITEMAP_PART, SitemapPart, SitemapSize } from '@beltway/contracts/catalog/sitemap';
import type { InternalClient } from '@beltway/kit/internal';
import { notFound } from '@beltway/kit/problems';
import { representations } from '../response-cache/representations.ts';
import { sendRepresentations } from '../response-cache/send.ts';

/** How long answers are cached. Search engines visit rarely, and new events need not be listed immediately. */
const KEPT_MS = 10 * 60_000;
/** Maximum cached files. A file has up to 800 kB, plus a tenth of that for the compressed copy. */
const MAX_KEPT = 20;
/** The maximum number of parts that a sitemap index may list (sitemaps.org). */
const MAX_PARTS = 50_000;

/** Pages that have content for visitors from a search engine. */
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
/** Private pages, which crawlers must skip. API calls stay allowed, because pages load their content through them. */
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

const AS_XML: Array<[string, string]> = [['content-type', 'application/xml; charset=utf-8']];
const xml = (root: string, entry: string, addresses: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses
    .map((address) => `<${entry}><loc>${address}</loc></${entry}>`)
    .join('\n')}\n</${root}>\n`;

/**
 * `robots.txt` and the sitemap. The sitemap has an index, a file of pages, and several files of events and organizers
 * (services/catalog/PRODUCT.md#search-engines).
 */
export function sitemapRoutes({ catalog, publicUrl }: { catalog: Pick<InternalClient, 'get'>; publicUrl: string }) {
  const router = Router();
  // `&` is the only character in our paths that XML requires to be escaped.
  const address = (path: string) => new URL(path, publicUrl).href.replace(/&/g, '&amp;');
  /** The cached answers. Concurrent requests share one answer; a failure is not cached. */
  const kept = new LRUCache<string, Promise<unknown>>({ max: MAX_KEPT, ttl: KEPT_MS });
  function once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
    const known = kept.get(name) as Promise<Made> | undefined;
    if (known) return known;
    const making = make().catch((error: unknown) => {
      kept.delete(name);
      throw error;
    });
    kept.set(name, making);
    return making;
  }
  async function send(req: Request, res: Response, name: string, text: () => Promise<string> | string): Promise<void> {
    const made = await once(name, async () => representations(AS_XML, Buffer.from(await text())));
    await sendRepresentations(req, res, made, { cacheControl: 'public, max-age=600' });
  }
  const partCount = (): Promise<number> =>
    once('parts', async () => {
      const { lastEventId } = SitemapSize.parse(await catalog.get('/internal/sitemap'));
      return Math.min(Math.ceil(lastEventId / SITEMAP_PART), MAX_PARTS - 1);
    });

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
  router.get('/sitemap.xml', async (req, res) => {
    const parts = (await partCount()) + 1;
    await send(req, res, 'index', () =>
      xml(
        'sitemapindex',
        'sitemap',
        Array.from({ length: parts }, (_, at) => address(`/sitemap-${at}.xml`)),
      ),
    );
  });
  router.get('/sitemap-:part.xml', async (req, res) => {
    const part = /^(0|[1-9]\d{0,4})$/.exec(req.params.part)?.[0];
    if (part === undefined || Number(part) > (await partCount())) throw notFound();
    await send(req, res, part, async () => {
      if (part === '0') return xml('urlset', 'url', LISTED_PAGES.map(address));
      const { eventIds, organizerIds } = SitemapPart.parse(await catalog.get(`/internal/sitemap/${part}`));
      const paths = [...eventIds.map((id) => `/event/${id}`), ...organizerIds.map((id) => `/organizer/${id}`)];
      return xml('urlset', 'url', paths.map(address));
    });
  });
  return router;
}
