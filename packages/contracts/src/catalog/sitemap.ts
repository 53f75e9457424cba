import { z } from 'zod';

/** Event ids per sitemap file. A file may contain 50,000 URLs (sitemaps.org). */
export const SITEMAP_PART = 10_000;

/** GET /internal/sitemap of the catalog. */
export const SitemapSize = z.object({ lastEventId: z.int().min(0) });

/** GET /internal/sitemap/:part. Part 1 has the event ids from 1 to `SITEMAP_PART`, and so on. Returns the public events with ids in the part, and their organizers. */
export const SitemapPart = z.object({ eventIds: z.array(z.int()), organizerIds: z.array(z.int()) });
export type SitemapPart = z.infer<typeof SitemapPart>;
