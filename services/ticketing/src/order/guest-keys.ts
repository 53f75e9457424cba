import { randomBytes } from 'node:crypto';
import { keyedText, sameText } from '@beltway/kit/secrets';

/** 144 random bits, and as many of a digest of them: every instance recognises a key of ours, and none is stored. */
const HALF = 24;
const digestOf = (secret: string, random: string) => keyedText(secret, 'guest-key', random).slice(0, HALF);

/** A key for the orders of one guest (docs/decisions/0023). */
export function newGuestKey(secret: string): string {
  const random = randomBytes(18).toString('base64url');
  return random + digestOf(secret, random);
}

/** Whether the key begins with one that `newGuestKey` made; after it may come a dot and the guest's own text. */
export function isGuestKey(secret: string, key: string): boolean {
  const random = key.slice(0, HALF);
  const end = key[2 * HALF];
  return (end === undefined || end === '.') && sameText(key.slice(HALF, 2 * HALF), digestOf(secret, random));
}
