import { z } from 'zod';

/** POST /internal/images (from catalog, `{ dataUrl }` or `{ sourceUrl }`) and POST /api/images (multipart, signed in) answer this. */
export const StoredImage = z.object({
  /** Path of the large size on this site, content-addressed, cacheable for ever. */
  url: z.string(),
  thumbnailUrl: z.string(),
  width: z.int(),
  height: z.int(),
});
export type StoredImage = z.infer<typeof StoredImage>;
export const StoreImageBody = z.strictObject({ dataUrl: z.string() });

export { categoryOf, posterUrl, posterVersion } from './poster.ts';
export type { MetroLine, PosterEvent } from './poster.ts';
