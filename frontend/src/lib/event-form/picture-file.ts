import { isHeic, kindOf } from '@beltway/contracts/media/picture-kinds';
import { PHOTO_WIDTHS } from '@beltway/contracts/media/pictures';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from './texts.en.ts';

export const dataUrlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('not readable'));
    reader.readAsDataURL(file);
  });

/** The limit for pictures of events, ads and posts, and for a video's thumbnail. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** The size limit for a file that is scaled down. It bounds the memory needed. */
const MAX_READ_BYTES = 50 * 1024 * 1024;
/** The media service's height limit, as a multiple of the width. */
const MAX_ASPECT = 3;
/** High enough for no visible loss. The media service encodes the photo again, at quality 82. */
const QUALITY = 0.9;

/** Why a chosen file is rejected. `heic`: this browser cannot convert it. */
export type PictureFault = 'type' | 'heic' | 'damaged' | 'size';

/** The error's title and text. */
export function faultText(fault: PictureFault): { title: string; text: string } {
  const t = textsNow(texts);
  switch (fault) {
    case 'type':
      return { title: t('wrongType'), text: t('wrongTypeWhy') };
    case 'heic':
      return { title: t('wrongType'), text: t('heicWhy') };
    case 'damaged':
      return { title: t('uploadFailed'), text: t('damagedWhy') };
    case 'size':
      return { title: t('tooLarge'), text: t('tooLargeWhy') };
  }
}

const encoded = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));

/**
 * The picture in the first of these formats in which it fits `maxBytes`. A browser writes PNG for formats that it does
 * not support.
 */
async function drawn(picture: ImageBitmap, scale: number, types: string[], maxBytes: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  // JPEG has no transparency, so transparent parts become white, as behind a picture on a page.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  for (const type of types) {
    if (type === 'image/jpeg') context.fillRect(0, 0, canvas.width, canvas.height);
    const blob = await encoded(canvas, type);
    if (blob?.type === type && blob.size <= maxBytes) return blob;
  }
  return null;
}

/**
 * Reads a chosen file, checks its content, and returns it unchanged or scaled to the media service's maximum. A phone's
 * photo shrinks to a tenth and loses its GPS position. Formats that this browser can draw but the service cannot read,
 * such as HEIC in Safari, become JPEG.
 */
export async function readPicture(file: File, maxBytes = MAX_PICTURE_BYTES): Promise<File | PictureFault> {
  if (file.type !== '' && !file.type.startsWith('image/')) return 'type';
  if (file.size > MAX_READ_BYTES) return 'size';
  const head = new Uint8Array(await file.slice(0, 128).arrayBuffer());
  const kind = kindOf(head);
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return kind ? 'damaged' : isHeic(head) ? 'heic' : 'type';
  try {
    const { width, height } = picture;
    const scale = Math.min(1, PHOTO_WIDTHS.large / width, (PHOTO_WIDTHS.large * MAX_ASPECT) / height);
    const fits = kind !== null && file.size <= maxBytes;
    if (fits && scale === 1) return file;
    // PNG and WebP may be transparent, so WebP is tried first.
    const types = kind === null || kind === 'jpeg' ? ['image/jpeg'] : ['image/webp', 'image/jpeg'];
    const smaller = await drawn(picture, scale, types, maxBytes);
    if (fits && (!smaller || smaller.size >= file.size)) return file;
    return smaller ? new File([smaller], file.name, { type: smaller.type }) : 'size';
  } finally {
    picture.close();
  }
}
