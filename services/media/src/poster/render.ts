import type { PictureSize, PosterEvent, PosterLook } from '@beltway/contracts/media/images';
import { loadSharp } from '../workers/sharp.ts';
import { composePoster } from './compose.ts';

/** 1280 × 800, 960 × 600 or 640 × 400; the drawing has 72 units to the inch. */
const DENSITY: Record<PictureSize, number> = { large: 72, medium: 54, small: 36 };

/** The same event gives the same bytes. One size at a time: a page of cards wants the small ones now. */
export async function renderPoster(
  event: PosterEvent,
  size: PictureSize,
  look: PosterLook = 'titled',
): Promise<Buffer> {
  const [sharp, svg] = await Promise.all([loadSharp(), composePoster(event, look)]);
  // Drawn anew at a lower density, not scaled down: sharper, and half the bytes.
  const sheet = sharp(Buffer.from(svg), { density: DENSITY[size] }).removeAlpha();
  // The large one loses nothing, red letters above all; on flat colors that costs a sixth more.
  return sheet.webp(size === 'large' ? { lossless: true, effort: 1 } : { quality: 86, effort: 2 }).toBuffer();
}
