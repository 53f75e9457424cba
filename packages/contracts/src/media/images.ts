import { z } from 'zod';

/**
 * Response of POST /internal/images (from catalog, `{ dataUrl }` or `{ sourceUrl }`) and POST /api/images (multipart,
 * signed in).
 */
export const StoredImage = z.object({
  /** Path of the large size on this site. It is content-addressed, so clients may cache it permanently. */
  url: z.string(),
  thumbnailUrl: z.string(),
  width: z.int(),
  height: z.int(),
  /**
   * The picture's average color, `rrggbb`, which is part of the picture's URL. Pages display the color until the
   * picture has loaded.
   */
  tint: z.string().regex(/^[0-9a-f]{6}$/),
});
export type StoredImage = z.infer<typeof StoredImage>;
export const StoreImageBody = z.strictObject({
  dataUrl: z.string(),
  /** The account whose erasure deletes the picture. */
  uploadedBy: z.int().positive().optional(),
  /** Whether that account has verified its email address. */
  isVerified: z.boolean().optional(),
  /** The client's IP address, for the limits per network. */
  address: z.string().max(100).optional(),
});

/**
 * POST /internal/images/kept, which catalog calls before an event or an ad refers to a stored picture. 204: media keeps
 * the picture; 404: the picture does not exist; 503: the picture is being deleted.
 */
export const KeepImageBody = z.strictObject({ url: z.string().max(300).startsWith('/media/images/') });

/**
 * POST /internal/pictures/named of the catalog, called by media: returns the URLs from the request that an event, an ad
 * or a series uses.
 */
export const NamedPicturesBody = z.strictObject({ urls: z.array(z.string().max(300)).max(200) });
export const NamedPictures = z.object({ named: z.array(z.string()) });
export type NamedPictures = z.infer<typeof NamedPictures>;

/** Matches the paths of pictures and posters that media serves. */
export const IMAGE_PATH =
  /^\/media\/(?:images\/[0-9a-f]{64}(?:-[0-9a-f]{6})?-(?:large|medium|small)|posters\/[1-9][0-9]{0,9}-[0-9a-f]{8,32}(?:-(?:medium|small))?)\.webp$/;

export { categoryOf, type MetroLine } from '../catalog/categories.ts';
export { posterUrl, posterVersion } from './poster.ts';
export type { PosterEvent, PosterLook } from './poster.ts';
export type { PictureSize } from './pictures.ts';

/** GET /internal/mail-picture?path=/media/…: the picture as JPEG, 640 × 400, in base64. */
export const MailPicture = z.object({ jpeg: z.base64() });
export type MailPicture = z.infer<typeof MailPicture>;
