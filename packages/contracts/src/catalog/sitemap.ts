import { z } from 'zod';

/** Numbers of events in one part of the sitemap; a file may have 50,000 addresses (sitemaps.org). */
export const SITEMAP_PART = 10_000;

/** GET /internal/sitemap of the catalog. */
export const SitemapSize = z.object({ lastEventId: z.int().min(0) });

/** GET /internal/sitemap/:part, counted from 1: what is shown of the events of these numbers, and of who put them on. */
export const SitemapPart = z.object({ eventIds: z.array(z.int()), organizerIds: z.array(z.int()) });
export type SitemapPart = z.infer<typeof SitemapPart>;
