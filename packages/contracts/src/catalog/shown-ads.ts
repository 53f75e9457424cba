import { z } from 'zod';

// Apart from the other schemas of ads: the home page loads this one and none of them.

/** An ad as everybody sees it. Its link is `clickPath(id)`. */
export const ServedAd = z.object({
  id: z.uuid(),
  title: z.string(),
  /** The picture in words. */
  alt: z.string(),
  imageUrl: z.string(),
  /** The host that its link leads to. */
  site: z.string(),
});
export type ServedAd = z.infer<typeof ServedAd>;

/** At most three ads of the slot, drawn anew each second by what each has still to be shown. */
export const ServedAds = z.object({ items: z.array(ServedAd) });
export type ServedAds = z.infer<typeof ServedAds>;

/** Where a click on an ad goes: counted there, and sent on to the link that was approved. */
export const clickPath = (adId: string): string => `/api/ads/${adId}/click`;
