import { randomBytes, timingSafeEqual } from 'node:crypto';
import { acceptedBy, keyedText, type Secrets } from '@beltway/kit/secrets';

/** 144 random bits, and as many of a digest of them: every instance recognizes a key of ours, and none is stored. */
const HALF = 24;
const digestOf = (secret: Secrets, random: string) => keyedText(secret, 'guest-key', random).slice(0, HALF);

/** A key for the orders of one guest (docs/decisions/0023). */
export function newGuestKey(secret: Secrets): string {
  const random = randomBytes(18).toString('base64url');
  return random + digestOf(secret, random);
}

/**
 * Whether the key (of ASCII) begins with one that `newGuestKey` made; after it may come a dot and the guest's own text.
 */
export function isGuestKey(secrets: Secrets, key: string): boolean {
  const [random, digest, end] = [key.slice(0, HALF), key.slice(HALF, 2 * HALF), key[2 * HALF]];
  if (digest.length < HALF || (end !== undefined && end !== '.')) return false;
  const given = Buffer.from(digest, 'latin1');
  return acceptedBy(secrets, (secret) => timingSafeEqual(given, Buffer.from(digestOf(secret, random), 'latin1')));
}

/** The buyer that a sale counts a guest as: a keyed hash of what the key (of `isGuestKey`) begins with. */
export const guestOfKey = (secret: Secrets, key: string): string =>
  keyedText(secret, 'buyer', `key:${key.slice(0, 2 * HALF)}`).slice(0, 22);
