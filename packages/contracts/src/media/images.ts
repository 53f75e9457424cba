import { z } from 'zod';

/** POST /internal/images (from catalog, `{ dataUrl }` or `{ sourceUrl }`) and POST /api/images (multipart, signed in) answer this. */
export const StoredImage = z.object({
  /** Path of the large size on this site, content-addressed, cacheable for ever. */
  url: z.string(),
  thumbnailUrl: z.string(),
  width: z.int(),
  height: z.int(),
  /** The picture's own color, `rrggbb`, which its address names too: shown in its place until it is there. */
  tint: z.string().regex(/^[0-9a-f]{6}$/),
});
export type StoredImage = z.infer<typeof StoredImage>;
export const StoreImageBody = z.strictObject({
  dataUrl: z.string(),
  /** The account that it goes with, should that be erased. */
  uploadedBy: z.int().positive().optional(),
  /** Whether that account has verified its address. */
  isVerified: z.boolean().optional(),
  /** Where the client is, for the limits of networks. */
  address: z.string().max(100).optional(),
});

/**
 * POST /internal/images/kept, from catalog, before an event or an ad names a picture that is stored already: 204, and it stays; 404 when it is not
 * there; 503 while it is being deleted.
 */
export const KeepImageBody = z.strictObject({ url: z.string().max(300).startsWith('/media/images/') });

/** POST /internal/pictures/named of the catalog, from media: which of these addresses an event, an ad or a series names. */
export const NamedPicturesBody = z.strictObject({ urls: z.array(z.string().max(300)).max(200) });
export const NamedPictures = z.object({ named: z.array(z.string()) });
export type NamedPictures = z.infer<typeof NamedPictures>;

/** Pictures and posters, as media serves them. */
export const IMAGE_PATH =
  /^\/media\/(?:images\/[0-9a-f]{64}(?:-[0-9a-f]{6})?-(?:large|medium|small)|posters\/[1-9][0-9]{0,9}-[0-9a-f]{8,32}(?:-(?:medium|small))?)\.webp$/;

export { categoryOf, type MetroLine } from '../catalog/categories.ts';
export { posterUrl, posterVersion } from './poster.ts';
export type { PosterEvent, PosterLook } from './poster.ts';
export type { PictureSize } from './pictures.ts';

/** GET /internal/mail-picture?path=/media/…: 640 × 400, JPEG, in base64. */
export const MailPicture = z.object({ jpeg: z.base64() });
export type MailPicture = z.infer<typeof MailPicture>;
