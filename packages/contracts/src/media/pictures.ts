// No zod here: the frontend derives picture sizes without loading a schema library.

/** The sizes in which the media service stores a picture. */
export type PictureSize = 'large' | 'medium' | 'small';

/**
 * Maximum widths in pixels. A card uses the small or medium size; a detail page on a wide screen uses the large size.
 */
export const PHOTO_WIDTHS = { large: 1600, medium: 960, small: 640 } as const;
export const POSTER_WIDTHS = { large: 1280, medium: 960, small: 640 } as const;

/** Path of an uploaded photo. Its name is the hash of its large size, a dash, and its tint. */
export const photoUrl = (name: string, size: PictureSize = 'large'): string => `/media/images/${name}-${size}.webp`;

/** Path of the gallery photo with this name. */
export const galleryUrl = (name: string): string => `/media/gallery/${name}-large.webp`;

/** Path of a video. Its name is the hash of its bytes plus the extension. */
export const videoUrl = (name: string): string => `/media/videos/${name}`;

const PHOTO = /^(\/media\/(?:images|gallery)\/[0-9a-f]+-([0-9a-f]{6}))-large\.webp$/;

/** All sizes of a picture, smallest first; null for a picture on another site. */
export function storedSizes(url: string): { url: string; width: number }[] | null {
  const [, photo] = PHOTO.exec(url) ?? [];
  if (photo)
    return [
      { url: `${photo}-small.webp`, width: PHOTO_WIDTHS.small },
      { url: `${photo}-medium.webp`, width: PHOTO_WIDTHS.medium },
      { url, width: PHOTO_WIDTHS.large },
    ];
  const [, poster] = /^(\/media\/posters\/[\w-]+)\.webp$/.exec(url) ?? [];
  if (!poster || /-(small|medium)$/.test(poster)) return null;
  return [
    { url: `${poster}-small.webp`, width: POSTER_WIDTHS.small },
    { url: `${poster}-medium.webp`, width: POSTER_WIDTHS.medium },
    { url, width: POSTER_WIDTHS.large },
  ];
}

/** The color `#rrggbb` of a stored photo, displayed until the photo has loaded; null if unknown. */
export function tintOf(url: string | null): string | null {
  const [, , tint] = PHOTO.exec(url ?? '') ?? [];
  return tint ? `#${tint}` : null;
}
