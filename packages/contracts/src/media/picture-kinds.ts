// No zod here: the frontend checks a chosen picture with the same rules as the media service.

export type Kind = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/**
 * The kind of picture that the first bytes claim. This check only keeps other formats away from the decoders, because
 * SVG and PDF readers have had many vulnerabilities. The decoder then verifies the claim.
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

/**
 * True if the first bytes are those of a HEIC photo, a format that phones produce and few decoders support. Also true
 * for AVIF, so call `kindOf` first.
 */
export const isHeic = (bytes: Uint8Array): boolean =>
  bytes.length >= 16 && ascii(bytes, 4, 8) === 'ftyp' && brands(bytes).some((brand) => HEIC.test(brand));

/**
 * Major and compatible brands of an ISO media file. Both kinds of brands are needed, because phones write AVIF with the
 * major brand `mif1`.
 */
function brands(bytes: Uint8Array): string[] {
  const size = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length, 128);
  const found = [ascii(bytes, 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) found.push(ascii(bytes, at, at + 4));
  return found;
}
