// No zod here: pages only name these pictures.
import { posterUrl, type PosterEvent } from './poster.ts';

/** What other sites show beside a link (`og:image`): the shape that they crop nothing of. */
export const SHARE_PICTURE = { width: 1200, height: 630, type: 'image/jpeg' } as const;

const IMAGE = /^(\/media\/images\/[0-9a-f]{64}(?:-[0-9a-f]{6})?)-(?:large|medium|small)\.webp$/;

/** That of an event: of its own picture if we store it, else of its poster. */
export function shareUrl(event: PosterEvent & { imageUrl: string | null }): string {
  const [, image] = IMAGE.exec(event.imageUrl ?? '') ?? [];
  return `${image ?? posterUrl(event).slice(0, -'.webp'.length)}-share.jpg`;
}

/** That of the site itself. Another number when the drawing changes: it is cached forever. */
export const SITE_SHARE_URL = '/media/posters/site-1-share.jpg';
