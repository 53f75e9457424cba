import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { Pool } from 'pg';
import { ACCESS_TOKEN_MINUTES, SIGNING_ALGORITHM } from '@beltway/kit/auth';
import type { Logger } from '@beltway/kit/logger';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { resealed, seal, unseal, type Secrets } from '@beltway/kit/secrets';
import { lockKey } from '@beltway/kit/kysely';
import { kysely } from '../db.ts';

/**
 * How long a new key is published before it signs. This is longer than verifiers cache a key set (jose: 10 min), and
 * longer than the cache of this service lasts.
 */
export const PUBLISH_AHEAD_MS = 15 * 60_000;
/** How long a key stays published after it stops signing: much longer than its last token is valid. */
export const PUBLISH_AFTER_MS = 4 * ACCESS_TOKEN_MINUTES * 60_000;
const ROTATE_AFTER_MS = 30 * 24 * 3_600_000;
const RELOAD_MS = 30_000;
const PURPOSE = 'identity signing key';

interface Key {
  kid: string;
  jwk: JWK;
  publicKey: KeyObject;
  /** Undefined when the key was sealed with an unknown secret: the key still verifies tokens, but no longer signs. */
  privateKey: KeyObject | undefined;
  signsFrom: number;
}

const algorithmOf = ({ jwk }: Key): string => jwk.alg ?? SIGNING_ALGORITHM;

export interface Keyring {
  signer(): Promise<{ kid: string; alg: string; privateKey: KeyObject }>;
  /** The key with this id and algorithm, if valid tokens may still be signed with it. */
  verifier(kid: string, alg: string): Promise<KeyObject | undefined>;
  /** The public keys of all tokens that are valid now or will be issued soon (RFC 7517). */
  published(): Promise<{ keys: JWK[] }>;
  /**
   * Creates and publishes the next key, which signs after 15 minutes. Does nothing while a next key is already waiting.
   */
  rotate(): Promise<void>;
  /** Calls `rotate` if the signing key is older than 30 days or uses an earlier algorithm. */
  rotateWhenOld(): Promise<void>;
}

/** A new key: its public part and its private part. */
export interface NewKey {
  kid: string;
  jwk: JWK;
  privateKey: KeyObject;
}

export interface KeyringOptions {
  pool: Pool;
  /** Seals with the first secret; opens with any of the secrets. */
  secret: Secrets;
  log: Logger;
  clock: () => Date;
  /** Makes a new key. Default: `makeKey`. */
  make?: () => Promise<NewKey>;
}

/** Makes a P-256 key (128 bits of security). The key's id is its thumbprint (RFC 7638). */
export async function makeKey(): Promise<NewKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  return { kid, jwk: { ...bare, kid, alg: SIGNING_ALGORITHM, use: 'sig' }, privateKey };
}

/**
 * The keys in the table `signing_keys`, which all instances share. The first key is created on first use. Deleting a
 * row revokes a key: tokens signed with the key are refused when verifiers next fetch the key set.
 */
export function createKeyring({ pool, secret, log, clock, make = makeKey }: KeyringOptions): Keyring {
  let keys: Key[] = [];
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;
  const parsed = new Map<string, Key>();
  const now = () => clock().getTime();

  async function read(db: Queryable): Promise<Key[]> {
    const rows = await kysely(db).selectFrom('signingKeys').selectAll().orderBy('signsFrom').orderBy('kid').execute();
    return rows.map(({ kid, publicJwk, private: sealed, signsFrom }) => {
      const known = parsed.get(kid);
      if (known) return known;
      const key: Key = {
        kid,
        jwk: publicJwk as JWK,
        publicKey: createPublicKey({ key: publicJwk as Record<string, string>, format: 'jwk' }),
        privateKey: open(kid, sealed),
        signsFrom: signsFrom.getTime(),
      };
      parsed.set(kid, key);
      if (key.privateKey) void sealAnew(kid, sealed);
      return key;
    });
  }

  /**
   * Seals a key with the current secret if an older accepted secret sealed it. If this fails, the next start tries
   * again.
   */
  async function sealAnew(kid: string, sealed: string): Promise<void> {
    const anew = resealed(secret, PURPOSE, sealed);
    if (anew === undefined) return;
    try {
      await kysely(pool)
        .updateTable('signingKeys')
        .set({ private: anew })
        .where('kid', '=', kid)
        .where('private', '=', sealed)
        .execute();
      log.info({ kid }, 're-sealed a signing key');
    } catch (error) {
      log.warn({ err: error, kid }, 'a signing key could not be re-sealed');
    }
  }

  function open(kid: string, sealed: string): KeyObject | undefined {
    try {
      return createPrivateKey(unseal(secret, PURPOSE, sealed));
    } catch {
      log.warn(
        { kid },
        'this signing key was sealed with a secret that KEY_ENCRYPTION_SECRET does not name; it no longer signs',
      );
      return undefined;
    }
  }

  const signing = (all: Key[]) => all.findLast((key) => key.privateKey && key.signsFrom <= now());

  /** Marks the key ring as loaded only when it is complete. Until then, concurrent readers wait. */
  function use(all: Key[]): void {
    keys = all;
    loadedAt = now();
  }

  /**
   * Adds a key under a lock. Adds none if `unless` returns true for the stored keys, because another instance has added
   * a key.
   */
  async function add(signsFrom: number, unless: (all: Key[]) => boolean): Promise<void> {
    const { kid, jwk, privateKey } = await make();
    const sealed = seal(secret, PURPOSE, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    const all = await transaction(pool, async (tx) => {
      await lockKey(tx, PURPOSE);
      const others = await read(tx);
      if (unless(others)) return others;
      await kysely(tx)
        .insertInto('signingKeys')
        .values({ kid, publicJwk: JSON.stringify(jwk), private: sealed, signsFrom: new Date(signsFrom) })
        .execute();
      log.info({ kid, signsFrom: new Date(signsFrom).toISOString() }, 'made a signing key');
      return read(tx);
    });
    use(all);
  }

  /** The key ring from the database, at most 30 s old. It always has a key that can sign. */
  async function current(): Promise<Key[]> {
    if (now() - loadedAt >= RELOAD_MS || now() < loadedAt) {
      loading ??= (async () => {
        const all = await read(pool);
        if (signing(all)) use(all);
        else await add(now(), (others) => signing(others) !== undefined);
      })().finally(() => (loading = undefined));
      await loading;
    }
    return keys;
  }

  /** Leaves out keys whose tokens have all expired since the next key began to sign. */
  const alive = (all: Key[]) =>
    all.filter(
      (key) => !all.some((next) => next.signsFrom > key.signsFrom && next.signsFrom + PUBLISH_AFTER_MS < now()),
    );

  async function rotate(): Promise<void> {
    const pending = (all: Key[]) => all.some((key) => key.privateKey && key.signsFrom > now());
    await current();
    await add(now() + PUBLISH_AHEAD_MS, pending);
  }

  return {
    signer: async () => {
      const key = signing(await current());
      if (!key?.privateKey) throw new Error('there is no key to sign with');
      return { kid: key.kid, alg: algorithmOf(key), privateKey: key.privateKey };
    },
    verifier: async (kid, alg) =>
      alive(await current()).find((key) => key.kid === kid && algorithmOf(key) === alg)?.publicKey,
    published: async () => ({ keys: alive(await current()).map(({ jwk }) => jwk) }),
    rotate,
    rotateWhenOld: async () => {
      const key = signing(await current());
      if (key && (now() - key.signsFrom > ROTATE_AFTER_MS || algorithmOf(key) !== SIGNING_ALGORITHM)) await rotate();
    },
  };
}
