import { PHOTO_WIDTHS } from '@beltway/contracts/pictures';
import { textsNow } from '../catalogue.ts';
import { texts } from './texts.ts';

const readAsDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('not readable'));
    reader.readAsDataURL(file);
  });

/** Of a photo's quality: what the eye does not see. The media service writes it once more, at 82. */
const QUALITY = 0.9;

/** No wider than the media service keeps it: a phone's photo becomes a tenth, and loses the place where it was taken. */
async function shrink(file: File): Promise<string | null> {
  const picture = await createImageBitmap(file);
  const scale = PHOTO_WIDTHS.large / picture.width;
  if (scale >= 1) return null;
  const canvas = document.createElement('canvas');
  canvas.width = PHOTO_WIDTHS.large;
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  // PNG and WebP may be transparent, which JPEG is not.
  const smaller = canvas.toDataURL(file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp', QUALITY);
  return smaller.length < file.size ? smaller : null;
}

/** A file as an embedded data URL. What this browser cannot draw is sent as it is, for the server to judge. */
export async function dataUrlOf(file: File): Promise<string> {
  const smaller = await shrink(file).catch(() => null);
  return smaller ?? readAsDataUrl(file);
}

const MAX_BYTES = 5 * 1024 * 1024;

/** Why a file cannot be a picture here, before it is read (docs/product.md#launching-an-event); null: it may be one. */
export function refusalOf({ type, size }: File): { title: string; description: string } | null {
  const t = textsNow(texts);
  if (!type.startsWith('image/')) return { title: t('wrongType'), description: t('wrongTypeWhy') };
  if (size > MAX_BYTES) return { title: t('tooLarge'), description: t('tooLargeWhy') };
  return null;
}
