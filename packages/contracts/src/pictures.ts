// No zod here: the page works out the sizes of a picture, and should not load a schema library for it.

/** Widths in pixels at most of the two sizes in which the media service keeps a picture. */
export const PHOTO_WIDTHS = { large: 1600, small: 640 } as const;
export const POSTER_WIDTHS = { large: 1280, small: 640 } as const;

/** Where an uploaded photo is, by the hash of its large size. */
export const photoUrl = (hash: string, size: 'large' | 'small' = 'large'): string =>
  `/media/images/${hash}-${size}.webp`;

/** A picture in both of its sizes, the smaller first; null for a picture of another site, of which only the address is known. */
export function storedSizes(url: string): { url: string; width: number }[] | null {
  const [, hash] = /^\/media\/images\/(\w+)-large\.webp$/.exec(url) ?? [];
  if (hash)
    return [
      { url: photoUrl(hash, 'small'), width: PHOTO_WIDTHS.small },
      { url, width: PHOTO_WIDTHS.large },
    ];
  const [, poster] = /^(\/media\/posters\/[\w-]+)\.webp$/.exec(url) ?? [];
  if (!poster || poster.endsWith('-small')) return null;
  return [
    { url: `${poster}-small.webp`, width: POSTER_WIDTHS.small },
    { url, width: POSTER_WIDTHS.large },
  ];
}
