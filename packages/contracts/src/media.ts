import { z } from 'zod';

/** POST /internal/images (from catalog, `{ dataUrl }` or `{ sourceUrl }`) and POST /api/images (multipart, signed in) answer this. */
export const StoredImage = z.object({
  /** Path of the large size on this site, content-addressed, cacheable for ever. */
  url: z.string(),
  thumbnailUrl: z.string(),
  width: z.int(),
  height: z.int(),
  /** The picture's own colour, `rrggbb`, which its address names too: shown in its place until it is there. */
  tint: z
    .string()
    .regex(/^[0-9a-f]{6}$/)
    .optional(),
});
export type StoredImage = z.infer<typeof StoredImage>;
export const StoreImageBody = z.strictObject({
  dataUrl: z.string(),
  /** The account that it goes with, should that be erased. */
  uploadedBy: z.int().positive().optional(),
});

/** Pictures and posters, as media serves them. */
export const IMAGE_PATH =
  /^\/media\/(?:images\/[0-9a-f]{64}(?:-[0-9a-f]{6})?-(?:large|medium|small)|posters\/[1-9][0-9]{0,9}-[0-9a-f]{8,32}(?:-(?:medium|small))?)\.webp$/;

export { categoryOf, type MetroLine } from './categories.ts';
export { posterUrl, posterVersion } from './poster.ts';
export type { PosterEvent, PosterLook } from './poster.ts';
export type { PictureSize } from './pictures.ts';

/** GET /internal/mail-picture?path=/media/…: 640 × 400, JPEG, in base64. */
export const MailPicture = z.object({ jpeg: z.base64() });
export type MailPicture = z.infer<typeof MailPicture>;
