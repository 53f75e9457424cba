import { loadSharp } from '../workers/sharp.ts';

/**
 * In pixels: twice the width of a mail's column on a phone, with the 16:10 ratio of posters. The file has about 30 kB.
 */
const WIDTH = 640;
const HEIGHT = 400;

/** Converts one of our pictures to JPEG, because mail clients and PDFs do not support WebP. */
export async function mailPicture(webp: Uint8Array): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(webp, { failOn: 'error' })
    .resize({ width: WIDTH, height: HEIGHT, fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 74, mozjpeg: true })
    .toBuffer();
}
