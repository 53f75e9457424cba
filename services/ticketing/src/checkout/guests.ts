import { randomBytes, timingSafeEqual } from 'node:crypto';
import { acceptedBy, keyedText, type Secrets } from '@beltway/kit/secrets';

/**
 * The number of characters in each half of a key. The first half is 144 random bits, the second half 144 bits of their
 * keyed digest, so that every instance recognizes our keys without storing them.
 */
const HALF = 24;
const digestOf = (secret: Secrets, random: string) => keyedText(secret, 'guest-key', random).slice(0, HALF);

/** Creates a key for the orders of one guest (docs/decisions/0023). */
export function newGuestKey(secret: Secrets): string {
  const random = randomBytes(18).toString('base64url');
  return random + digestOf(secret, random);
}

/** Whether the key (ASCII) begins with a key that `newGuestKey` made. A dot and the guest's own text may follow. */
export function isGuestKey(secrets: Secrets, key: string): boolean {
  const [random, digest, end] = [key.slice(0, HALF), key.slice(HALF, 2 * HALF), key[2 * HALF]];
  if (digest.length < HALF || (end !== undefined && end !== '.')) return false;
  const given = Buffer.from(digest, 'latin1');
  return acceptedBy(secrets, (secret) => timingSafeEqual(given, Buffer.from(digestOf(secret, random), 'latin1')));
}

/** The buyer id of a guest in a sale: a keyed hash of the server's part of the key (see `isGuestKey`). */
export const guestOfKey = (secret: Secrets, key: string): string =>
  keyedText(secret, 'buyer', `key:${key.slice(0, 2 * HALF)}`).slice(0, 22);
