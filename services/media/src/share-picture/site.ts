import { randomFrom } from '@beltway/contracts/media/poster-random';
import { paletteOf } from '../poster/palette.ts';
import { ring } from '../poster/patterns/ring.ts';
import { HEIGHT, rect, WIDTH } from '../poster/shapes.ts';
import { loadTypeface } from '../poster/typeface.ts';
import { loadSharp } from '../workers/sharp.ts';
import { SHARE_PICTURE } from '@beltway/contracts/media/share-picture';

const SEED = 7;
/** Height of the part that is cropped at the top of a poster, and at the bottom. */
const MARGIN = 120;

/** The site's own link preview: the pattern of its posters and its name. */
export async function siteSharePicture(): Promise<Buffer> {
  const [display, text] = await Promise.all([loadTypeface(800), loadTypeface(500)]);
  const random = randomFrom(SEED);
  const palette = paletteOf('red', random);
  const bottom = HEIGHT - MARGIN;
  const words = [
    `<path d="${display.outline('Beltway', MARGIN * 0.55, bottom - 82, 190)}" fill="${palette.text}"/>`,
    `<path d="${text.outline('What is on around DC, Maryland and Virginia', MARGIN * 0.6, bottom, 44)}" fill="${palette.quiet}"/>`,
  ];
  const drawing = ring({ random, palette, floor: bottom - 82 - 190 });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `${rect(0, 0, WIDTH, HEIGHT, palette.ground)}${drawing}${words.join('')}</svg>`;
  const sharp = await loadSharp();
  const { width, height } = SHARE_PICTURE;
  return sharp(Buffer.from(svg))
    .removeAlpha()
    .resize({ width, height, fit: 'cover' })
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}
