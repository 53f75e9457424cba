import { z } from 'zod';

// Separate from the other ad schemas, because the home page loads only this file.

/** The public view of an ad. Its link is `clickPath(id)`. */
export const ServedAd = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Alternative text of the picture. */
  alt: z.string(),
  imageUrl: z.string(),
  /** Host name of the ad's link. */
  site: z.string(),
});
export type ServedAd = z.infer<typeof ServedAd>;

/**
 * At most three ads of the slot. They are chosen at random, weighted by their remaining impressions; the choice changes
 * every second.
 */
export const ServedAds = z.object({ items: z.array(ServedAd) });
export type ServedAds = z.infer<typeof ServedAds>;

/** Target of a click on an ad: counts the click and redirects to the approved link. */
export const clickPath = (adId: string): string => `/api/ads/${adId}/click`;
