// No zod here: the page judges a picture when it is chosen, as the media service does when it arrives.

export type Kind = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/**
 * What the first bytes claim. Only a gate: it keeps everything that is not one of the five away from the decoders (SVG and PDF
 * readers have a long record of holes). The decoder then says whether the claim is true.
 */
export function kindOf(bytes: Uint8Array): Kind | null {
  if (bytes.length < 16) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (bytes[0] === 0x89 && ascii(bytes, 1, 8) === 'PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (ascii(bytes, 4, 8) === 'ftyp' && brands(bytes).some((brand) => brand === 'avif' || brand === 'avis'))
    return 'avif';
  return null;
}

const HEIC = /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/;

/** Whether the first bytes are of a photo in HEIC, which phones take and few decoders may read. Of AVIF too: ask `kindOf` first. */
export const isHeic = (bytes: Uint8Array): boolean =>
  bytes.length >= 16 && ascii(bytes, 4, 8) === 'ftyp' && brands(bytes).some((brand) => HEIC.test(brand));

/** Major and compatible brands of an ISO media file: phones write AVIF with the major brand `mif1`. */
function brands(bytes: Uint8Array): string[] {
  const size = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length, 128);
  const found = [ascii(bytes, 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) found.push(ascii(bytes, at, at + 4));
  return found;
}
