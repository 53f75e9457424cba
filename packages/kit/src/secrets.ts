import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/**
 * One secret, or several secrets during rotation. The first secret signs; all secrets are accepted for verification
 * (docs/operations/rotation.md).
 */
export type Secrets = string | readonly [string, ...string[]];

/** The secret for signing. */
export const firstSecret = (secrets: Secrets): string => (typeof secrets === 'string' ? secrets : secrets[0]);

/** True if `isRight` returns true for any of the secrets. */
export const acceptedBy = (secrets: Secrets, isRight: (secret: string) => boolean): boolean =>
  typeof secrets === 'string' ? isRight(secrets) : secrets.some(isRight);

/** Derives a key for one purpose from a secret in the environment. */
const keyFor = (secret: string, purpose: string): Buffer =>
  createHash('sha256').update(`${purpose}\0${secret}`).digest();

const keys = new Map<string, KeyObject>();

/**
 * Returns a cached key, because creating a key costs seven times as much as using it. A process has only a few secrets
 * and purposes.
 */
function keyOf(secret: string, purpose: string): KeyObject {
  const name = `${purpose}\0${secret}`;
  const key = keys.get(name) ?? createSecretKey(keyFor(secret, purpose));
  keys.set(name, key);
  return key;
}

/** Encrypts text for storage (AES-256-GCM): `iv.tag.body` in base64url. */
export function seal(secrets: Secrets, purpose: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(firstSecret(secrets), purpose), iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url')).join('.');
}

/** Decrypts a sealed text. Throws if the text was changed or was sealed with another secret. */
export function unseal(secrets: Secrets, purpose: string, sealed: string): string {
  if (typeof secrets === 'string') return unsealWith(secrets, purpose, sealed);
  for (const secret of secrets.slice(0, -1))
    try {
      return unsealWith(secret, purpose, sealed);
    } catch {
      // Another secret may have sealed the text.
    }
  return unsealWith(secrets.at(-1)!, purpose, sealed);
}

/**
 * Seals a text again with the first secret. Returns undefined if the first secret has sealed it already. Throws like
 * `unseal`.
 */
export function resealed(secrets: Secrets, purpose: string, sealed: string): string | undefined {
  const text = unseal(secrets, purpose, sealed);
  try {
    unsealWith(firstSecret(secrets), purpose, sealed);
    return undefined;
  } catch {
    return seal(secrets, purpose, text);
  }
}

function unsealWith(secret: string, purpose: string, sealed: string): string {
  const [iv, tag, body] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'));
  if (!iv || !tag || !body) throw new Error('not a sealed text');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), iv);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

const hmacOf = (secrets: Secrets, purpose: string, text: string) =>
  createHmac('sha256', keyOf(firstSecret(secrets), purpose)).update(text);

/**
 * A keyed digest of a text: deterministic, and unguessable without the secret. `purpose` must be one of a few
 * constants.
 */
export const keyed = (secrets: Secrets, purpose: string, text: string): Buffer =>
  hmacOf(secrets, purpose, text).digest();

/** `keyed` in base64url; a third faster than encoding the bytes afterwards. */
export const keyedText = (secrets: Secrets, purpose: string, text: string): string =>
  hmacOf(secrets, purpose, text).digest('base64url');

/** Compares two texts in constant time. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
