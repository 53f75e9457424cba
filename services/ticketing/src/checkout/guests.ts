import { randomBytes, timingSafeEqual } from 'node:crypto';
import { acceptedBy, keyedText, type Secrets } from '@beltway/kit/secrets';

/** 144 random bits, and as many of a digest of them: every instance recognises a key of ours, and none is stored. */
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

/**
 * Whom a sale counts a guest as who has not said an email: what the key (of `isGuestKey`) begins with, and not in the
 * log itself.
 */
export const guestOfKey = (secret: Secrets, key: string): string =>
  keyedText(secret, 'buyer', `key:${key.slice(0, 2 * HALF)}`).slice(0, 22);

/** Whom a sale counts a guest as: the same for each spelling of an email, and no address in the log. */
export const guestOf = (secret: Secrets, email: string): string =>
  keyedText(secret, 'buyer', email.trim().toLowerCase()).slice(0, 22);
