import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const POOL = 8192;
let pool = randomBytes(POOL);
let used = 0;

/** Letters and digits, each as likely as the other (a byte beyond 4 × 62 is thrown away). Randomness is fetched in bulk: an id is cheap. */
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

/** An id as Stripe writes them: `pi_` and 24 letters and digits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;
