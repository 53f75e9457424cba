import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { ConfigError } from '@beltway/kit/config';
import { resealed, seal, unseal, type Secrets } from '@beltway/kit/secrets';
import { kysely } from '../db.ts';

export interface TicketSigner {
  /**
   * The text of the QR code: `BW1.<ticket id>.<event id>.<code>.<signature>`. To check the text, a scanner at the door
   * needs only the public key.
   */
  qrText(ticket: { id: string; eventId: number; code: string }): string;
  /** The public key as SPKI in PEM. */
  publicKey: string;
}

const PURPOSE = 'ticket-signing-key';
/**
 * Number of cached signatures, which take about 15 MB. Signatures are cached because users open My Tickets repeatedly
 * and signing takes CPU time.
 */
const REMEMBERED = 50_000;

/**
 * Signs tickets with Ed25519 (RFC 8032). The key is created once and stored encrypted in the database, so that all
 * instances use the same one. If the key is encrypted with a previous secret, it is encrypted again with the current
 * secret. Throws `ConfigError` if no secret decrypts the key.
 */
export async function openSigner(pool: Pool, secrets: Secrets): Promise<TicketSigner> {
  const made = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const sealedKey = seal(secrets, PURPOSE, made.privateKey);
  await kysely(pool)
    .insertInto('signingKeys')
    .values({ id: 1, publicKey: made.publicKey, sealedKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await kysely(pool)
    .selectFrom('signingKeys')
    .select(['publicKey', 'sealedKey'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  const key: KeyObject = createPrivateKey(open(secrets, stored.sealedKey));
  const anew = resealed(secrets, PURPOSE, stored.sealedKey);
  if (anew !== undefined)
    await kysely(pool)
      .updateTable('signingKeys')
      .set({ sealedKey: anew })
      .where('id', '=', 1)
      .where('sealedKey', '=', stored.sealedKey)
      .execute();
  const signatures = new Map<string, string>();
  return {
    publicKey: stored.publicKey,
    qrText: ({ id, eventId, code }) => {
      const text = `BW1.${id}.${eventId}.${code}`;
      const known = signatures.get(text);
      // A Map iterates in insertion order, so the first entry is the least recently used.
      if (known !== undefined) signatures.delete(text);
      else if (signatures.size >= REMEMBERED) signatures.delete(signatures.keys().next().value!);
      const signature = known ?? sign(null, Buffer.from(text), key).toString('base64url');
      signatures.set(text, signature);
      return `${text}.${signature}`;
    },
  };
}

function open(secrets: Secrets, sealed: string): string {
  try {
    return unseal(secrets, PURPOSE, sealed);
  } catch (error) {
    throw new ConfigError(
      'Cannot start: the key that signs tickets is sealed with a secret that TICKET_SECRET does not name',
      { cause: error },
    );
  }
}

/** Whether the text of a QR code was signed with this key. Works offline. */
export function isGenuine(qrText: string, publicKey: string): boolean {
  const cut = qrText.lastIndexOf('.');
  if (!qrText.startsWith('BW1.') || cut < 0) return false;
  return verify(
    null,
    Buffer.from(qrText.slice(0, cut)),
    createPublicKey(publicKey),
    Buffer.from(qrText.slice(cut + 1), 'base64url'),
  );
}
