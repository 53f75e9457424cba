// No zod here: the page works out the sizes of a picture, and should not load a schema library for it.

/** The sizes in which the media service keeps a picture. */
export type PictureSize = 'large' | 'medium' | 'small';

/** Widths in pixels at most. A card takes the small or the medium one, a page of its own the large one on a wide screen. */
export const PHOTO_WIDTHS = { large: 1600, medium: 960, small: 640 } as const;
export const POSTER_WIDTHS = { large: 1280, medium: 960, small: 640 } as const;

/** Where an uploaded photo is, by its name: the hash of its large size and, after a dash, its tint. */
export const photoUrl = (name: string, size: PictureSize = 'large'): string => `/media/images/${name}-${size}.webp`;

/** Where a photo of the gallery is, by its name. */
export const galleryUrl = (name: string): string => `/media/gallery/${name}-large.webp`;

/** Where a video is, by its name: the hash of its bytes, and the ending of its kind. */
export const videoUrl = (name: string): string => `/media/videos/${name}`;

const PHOTO = /^(\/media\/(?:images|gallery)\/[0-9a-f]+-([0-9a-f]{6}))-large\.webp$/;

/** A picture in all of its sizes, the smallest first; null for a picture of another site, of which only the address is known. */
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

/** The color of a photo of ours, `#rrggbb`, which is shown in its place until it is there; null where it is not known. */
export function tintOf(url: string | null): string | null {
  const [, , tint] = PHOTO.exec(url ?? '') ?? [];
  return tint ? `#${tint}` : null;
}
