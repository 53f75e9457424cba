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

/** A new key is published this long before it signs: longer than verifiers keep a key set (jose: 10 min) and we our own copy. */
export const PUBLISH_AHEAD_MS = 15 * 60_000;
/** A key that stopped signing stays published this long: its last token has then long expired. */
export const PUBLISH_AFTER_MS = 4 * ACCESS_TOKEN_MINUTES * 60_000;
const ROTATE_AFTER_MS = 30 * 24 * 3_600_000;
const RELOAD_MS = 30_000;
const PURPOSE = 'identity signing key';

interface Key {
  kid: string;
  jwk: JWK;
  publicKey: KeyObject;
  /** Undefined when it was sealed with another secret: it verifies, and signs no more. */
  privateKey: KeyObject | undefined;
  signsFrom: number;
}

const algorithmOf = ({ jwk }: Key): string => jwk.alg ?? SIGNING_ALGORITHM;

export interface Keyring {
  signer(): Promise<{ kid: string; alg: string; privateKey: KeyObject }>;
  /** The key of this id and algorithm, if tokens may still bear it. */
  verifier(kid: string, alg: string): Promise<KeyObject | undefined>;
  /** The public keys tokens may bear now or soon (RFC 7517). */
  published(): Promise<{ keys: JWK[] }>;
  /** Makes the next key and publishes it; it signs after 15 minutes. Does nothing while a next key is waiting already. */
  rotate(): Promise<void>;
  /** `rotate`, when the key that signs is older than 30 days, or of an earlier algorithm. */
  rotateWhenOld(): Promise<void>;
}

/** A key as it is made: what is published of it, and what signs. */
export interface NewKey {
  kid: string;
  jwk: JWK;
  privateKey: KeyObject;
}

export interface KeyringOptions {
  pool: Pool;
  /** The first seals, all open. */
  secret: Secrets;
  log: Logger;
  clock: () => Date;
  /** Default: `makeKey`. */
  make?: () => Promise<NewKey>;
}

/** P-256, 128 bits of security; its id is its thumbprint (RFC 7638). */
export async function makeKey(): Promise<NewKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  return { kid, jwk: { ...bare, kid, alg: SIGNING_ALGORITHM, use: 'sig' }, privateKey };
}

/**
 * Keys in the table `signing_keys`, shared by all instances. The first is made when first asked for. Deleting a row ends a
 * key at once (every token it signed is refused as soon as verifiers fetch the key set again).
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

  /** A key that was sealed with a secret that only is accepted still. Where it fails, the next start does it. */
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
      log.info({ kid }, 'sealed a signing key anew');
    } catch (error) {
      log.warn({ err: error, kid }, 'a signing key was not sealed anew');
    }
  }

  function open(kid: string, sealed: string): KeyObject | undefined {
    try {
      return createPrivateKey(unseal(secret, PURPOSE, sealed));
    } catch {
      log.warn(
        { kid },
        'this signing key was sealed with a secret that KEY_ENCRYPTION_SECRET does not name; it signs no more',
      );
      return undefined;
    }
  }

  const signing = (all: Key[]) => all.findLast((key) => key.privateKey && key.signsFrom <= now());

  /** Only a ring that is whole counts as loaded: who asks meanwhile waits for it. */
  function use(all: Key[]): void {
    keys = all;
    loadedAt = now();
  }

  /** Adds a key, one instance at a time, unless `unless` finds, under the lock, that another instance did it already. */
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

  /** The ring as the database has it, at most 30 s old; with a key that can sign, always. */
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

  /** Without those that a successor replaced so long ago that no living token bears them. */
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
