import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const POOL = 8192;
let pool = randomBytes(POOL);
let used = 0;

/**
 * Returns uniformly distributed letters and digits, and therefore discards bytes of 4 × 62 and above. Fetches random
 * bytes in bulk, which makes ids cheap.
 */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    if (used === POOL) {
      pool = randomBytes(POOL);
      used = 0;
    }
    const byte = pool[used++] ?? 255;
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}

/** An id in Stripe's format: `pi_` and 24 letters and digits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;
