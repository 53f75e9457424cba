import { loadSharp } from '../workers/sharp.ts';

/** Pixels: twice the width of a mail's column on a phone, and 16:10 as posters are. Some 30 kB. */
const WIDTH = 640;
const HEIGHT = 400;

/** One of our own pictures as JPEG: mail readers and PDFs know no WebP. */
export async function mailPicture(webp: Uint8Array): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(webp, { failOn: 'error' })
    .resize({ width: WIDTH, height: HEIGHT, fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 74, mozjpeg: true })
    .toBuffer();
}
