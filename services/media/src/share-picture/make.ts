import { SHARE_PICTURE } from '@beltway/contracts/media/share-picture';
import { loadSharp } from '../workers/sharp.ts';

const { width, height } = SHARE_PICTURE;
/**
 * Pictures with at least this aspect ratio are cropped to fit. Other pictures, including posters with their text, are
 * shown whole.
 */
const CUT_FROM = 1.65;
const BLUR = 32;

/** Converts one of our pictures to a link preview. Free space is filled with the blurred picture. */
export async function sharePicture(webp: Uint8Array): Promise<Buffer> {
  const sharp = await loadSharp();
  const read = () => sharp(webp, { failOn: 'error' }).flatten({ background: '#ffffff' });
  const { width: wide, height: high } = await read().metadata();
  const filled = read().resize({ width, height, fit: 'cover' });
  const isCut = wide / high >= CUT_FROM;
  const sheet = isCut
    ? filled
    : sharp(await filled.blur(BLUR).modulate({ brightness: 0.8 }).toBuffer()).composite([
        { input: await read().resize({ width, height, fit: 'inside' }).toBuffer() },
      ]);
  return sheet.jpeg({ quality: 80, mozjpeg: true }).toBuffer();
}
