import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits, each as likely as the other (a byte beyond 4 × 62 is thrown away). */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** An id as Stripe writes them: `pi_` and 24 letters and digits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;
