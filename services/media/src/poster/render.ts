import type { PosterEvent, PosterLook } from '@beltway/contracts/media';
import { loadSharp } from '../workers/sharp.ts';
import { composePoster } from './compose.ts';

/** 1280 × 800 or 640 × 400. */
export type Size = 'large' | 'small';

/** The same event gives the same bytes. One size at a time: a page of cards wants the small ones now. */
export async function renderPoster(event: PosterEvent, size: Size, look: PosterLook = 'titled'): Promise<Buffer> {
  const [sharp, svg] = await Promise.all([loadSharp(), composePoster(event, look)]);
  // Drawn anew at half the density, not scaled down: sharper, and half the bytes.
  const sheet = sharp(Buffer.from(svg), { density: size === 'small' ? 36 : 72 }).removeAlpha();
  // The large one loses nothing, red letters above all; on flat colours that costs a sixth more.
  return sheet.webp(size === 'small' ? { quality: 86, effort: 2 } : { lossless: true, effort: 1 }).toBuffer();
}
