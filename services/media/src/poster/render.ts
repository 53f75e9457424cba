import type { PosterEvent } from '@beltway/contracts/media';
import { loadSharp } from '../workshop/sharp.ts';
import { composePoster } from './compose.ts';
import { WIDTH } from './shapes.ts';

export interface Rendered {
  /** 1280 × 800 */
  large: Buffer;
  /** 640 × 400 */
  small: Buffer;
}

/** The same event gives the same bytes. */
export async function renderPoster(event: PosterEvent): Promise<Rendered> {
  const [sharp, svg] = await Promise.all([loadSharp(), composePoster(event)]);
  const sheet = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = sheet.info;
  const sized = () => sharp(sheet.data, { raw: { width, height, channels } });
  const [large, small] = await Promise.all([
    sized().webp({ quality: 86, effort: 4 }).toBuffer(),
    sized()
      .resize(WIDTH / 2)
      .webp({ quality: 86, effort: 4 })
      .toBuffer(),
  ]);
  return { large, small };
}
