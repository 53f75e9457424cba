// No zod here: pages need only these names.
import { posterUrl, type PosterEvent } from './poster.ts';

/** The picture that other sites show next to a link (`og:image`), in an aspect ratio that they do not crop. */
export const SHARE_PICTURE = { width: 1200, height: 630, type: 'image/jpeg' } as const;

const IMAGE = /^(\/media\/images\/[0-9a-f]{64}(?:-[0-9a-f]{6})?)-(?:large|medium|small)\.webp$/;

/** The share picture of an event: the event's own picture if Beltway stores it, otherwise the event's poster. */
export function shareUrl(event: PosterEvent & { imageUrl: string | null }): string {
  const [, image] = IMAGE.exec(event.imageUrl ?? '') ?? [];
  return `${image ?? posterUrl(event).slice(0, -'.webp'.length)}-share.jpg`;
}

/**
 * The share picture of the site itself. Increase the number when the drawing changes, because the picture is cached
 * permanently.
 */
export const SITE_SHARE_URL = '/media/posters/site-1-share.jpg';
