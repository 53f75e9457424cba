import type { PictureSize, PosterEvent, PosterLook } from '@beltway/contracts/media/images';
import { loadSharp } from '../workers/sharp.ts';
import { composePoster } from './compose.ts';

/** 1280 × 800, 960 × 600 or 640 × 400; the drawing has 72 units to the inch. */
const DENSITY: Record<PictureSize, number> = { large: 72, medium: 54, small: 36 };

/** Deterministic. Draws one size at a time, because a list of cards needs the small size first. */
export async function renderPoster(
  event: PosterEvent,
  size: PictureSize,
  look: PosterLook = 'titled',
): Promise<Buffer> {
  const [sharp, svg] = await Promise.all([loadSharp(), composePoster(event, look)]);
  // Drawing at a lower density instead of scaling down is sharper and halves the bytes.
  const sheet = sharp(Buffer.from(svg), { density: DENSITY[size] }).removeAlpha();
  // The large size is lossless, mainly to keep red letters sharp. With flat colors, a lossless file is only a sixth
  // larger.
  return sheet.webp(size === 'large' ? { lossless: true, effort: 1 } : { quality: 86, effort: 2 }).toBuffer();
}
