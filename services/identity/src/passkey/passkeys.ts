import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import {
  MAX_PASSKEYS,
  type AddPasskeyBody,
  type Passkey,
  type PasskeyLoginBody,
  type PasskeyOptions,
} from '@beltway/contracts/identity/passkeys';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { HttpProblem, badField } from '@beltway/kit/problems';
import { queueMailOfChange } from '../account/mail-queue.ts';
import type { UserRow } from '../user/queries.ts';
import { countRows } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** COSE numbers of the algorithms ES256 and RS256. */
const ALGORITHMS = [-7, -257];

/** A challenge is valid for this long, and only once. */
const CHALLENGE_MS = 5 * 60_000;

/** Loaded on first use: the library parses the certificates of many vendors, which startup does not need. */
const webAuthn = () => import('@simplewebauthn/server');

const refused = () => new HttpProblem(401, 'passkey-refused');
const invalid = () => badField('credential', 'invalid.passkey');

const COLUMNS = ['id', 'name', 'createdAt as addedAt', 'usedAt'] as const;
type Row = Pick<Passkey, 'id' | 'name'> & { addedAt: Date; usedAt: Date | null };
const asPasskey = ({ id, name, addedAt, usedAt }: Row): Passkey => ({
  ...{ id, name, addedAt: addedAt.toISOString() },
  usedAt: usedAt?.toISOString() ?? null,
});

/** An account's passkeys, oldest first. */
export async function passkeysOf(pool: Pool, userId: number): Promise<Passkey[]> {
  const rows = await kysely(pool)
    .selectFrom('passkeys')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(MAX_PASSKEYS)
    .execute();
  return rows.map(asPasskey);
}

const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest();

/**
 * Passkeys of accounts (WebAuthn level 3). The authenticator selects the account and verifies its user, so one passkey
 * replaces email address, password and code (docs/decisions/0093).
 */
export function passkeys({ pool, publicUrl, clock }: { pool: Pool; publicUrl: string; clock: () => Date }) {
  const { origin, hostname } = new URL(publicUrl);

  async function newChallenge(of?: { userId: number; userHandle: string; generation: number }) {
    const challenge = randomBytes(32);
    await kysely(pool)
      .insertInto('passkeyChallenges')
      .values({ ...of, hash: hashOf(challenge.toString('base64url')), madeAt: clock() })
      .execute();
    return new Uint8Array(challenge);
  }

  /**
   * Deletes and returns the challenge of the response. A challenge works once, even if its response turns out to be
   * invalid.
   */
  async function takeChallenge({ clientDataJSON }: { clientDataJSON: string }) {
    const found = await kysely(pool)
      .deleteFrom('passkeyChallenges')
      .where('hash', '=', hashOf(challengeIn(clientDataJSON)))
      .returning(['userId', 'userHandle', 'generation', 'madeAt'])
      .executeTakeFirst();
    return found && clock().getTime() - found.madeAt.getTime() < CHALLENGE_MS ? found : undefined;
  }

  return {
    /** Options for `navigator.credentials.create`. Throws 409 `too-many-passkeys`. */
    async optionsToAdd({ id: userId, email, name, generation }: UserRow): Promise<PasskeyOptions> {
      const rows = await kysely(pool)
        .selectFrom('passkeys')
        .select(['credentialId', 'transports', 'userHandle'])
        .where('userId', '=', userId)
        .execute();
      if (rows.length >= MAX_PASSKEYS) throw tooMany();
      const userHandle = rows[0]?.userHandle ?? randomBytes(32).toString('base64url');
      const { generateRegistrationOptions } = await webAuthn();
      const options = await generateRegistrationOptions({
        ...{ rpName: 'Beltway', rpID: hostname, userName: email, userDisplayName: name, timeout: CHALLENGE_MS },
        userID: new Uint8Array(Buffer.from(userHandle, 'base64url')),
        challenge: await newChallenge({ userId, userHandle, generation }),
        excludeCredentials: rows.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
        // Every authenticator supports ES256 or RS256. The library's default list asks Node for an experimental
        // algorithm.
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { ...options };
    },

    /**
     * Adds the browser's new passkey and mails the owner. A repeat returns the stored passkey. Throws 400 at
     * `credential` if the account has no recent challenge for it, 409 `too-many-passkeys`.
     */
    async add(user: UserRow, { name, credential }: AddPasskeyBody): Promise<Passkey> {
      const { id: userId, email } = user;
      const repeat = await kysely(pool)
        .selectFrom('passkeys')
        .select(COLUMNS)
        .where('credentialId', '=', credential.id)
        .where('userId', '=', userId)
        .executeTakeFirst();
      if (repeat) return asPasskey(repeat);
      const challenge = await takeChallenge(credential.response);
      if (!challenge || challenge.userId !== userId || challenge.generation === null || challenge.userHandle === null)
        throw invalid();
      const { generation, userHandle } = challenge;
      const { verifyRegistrationResponse } = await webAuthn();
      const { transports = [], ...response } = credential.response;
      const verified = await verifyRegistrationResponse({
        supportedAlgorithmIDs: ALGORITHMS,
        response: { ...withoutUndefined(credential), response },
        expectedChallenge: challengeIn(credential.response.clientDataJSON),
        ...{ expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true },
      }).catch(() => undefined);
      if (!verified?.verified) throw invalid();
      const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
      const id = randomUUID();
      const row = await transaction(pool, async (tx) => {
        // The row lock makes a concurrent erasure or password reset wait, so that it also deletes the new passkey. If
        // an erasure or reset has already finished, no row matches.
        const owner = await kysely(tx)
          .selectFrom('users')
          .select('id')
          .where('id', '=', userId)
          .where('generation', '=', generation)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (!owner) throw invalid();
        if ((await count(tx, userId)) >= MAX_PASSKEYS) throw tooMany();
        const added = await kysely(tx)
          .insertInto('passkeys')
          .values({
            ...{ id, userId, credentialId, publicKey: Buffer.from(publicKey), counter, transports },
            ...{ userHandle, name, generation, createdAt: clock() },
          })
          .onConflict((conflict) => conflict.column('credentialId').doNothing())
          .returning(COLUMNS)
          .executeTakeFirst();
        if (added) await queueMailOfChange(tx, { kind: 'passkey-added', userId, email, detail: name });
        return added;
      });
      // The credential id belongs to another account. No honest authenticator creates the same id twice.
      if (!row) throw invalid();
      return asPasskey(row);
    },

    async rename(userId: number, id: string, name: string): Promise<Passkey | undefined> {
      const renamed = await kysely(pool)
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('userId', '=', userId)
        .returning(COLUMNS)
        .executeTakeFirst();
      return renamed && asPasskey(renamed);
    },

    async remove(userId: number, id: string): Promise<void> {
      await kysely(pool).deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).execute();
    },

    of: (userId: number) => passkeysOf(pool, userId),

    /** Options for `navigator.credentials.get`, the same for all visitors. */
    async optionsToSignIn(): Promise<PasskeyOptions> {
      const { generateAuthenticationOptions } = await webAuthn();
      const challenge = await newChallenge();
      const about = { rpID: hostname, timeout: CHALLENGE_MS, userVerification: 'required' } as const;
      return { ...(await generateAuthenticationOptions({ ...about, challenge })) };
    },

    /**
     * Returns the account that the response signs in to. Calls `accountOf` before it marks the passkey as used. A reset
     * between the two steps has one of two results: the passkey is gone, or the account was read with the earlier
     * generation, whose sessions end. Throws 401 `passkey-refused`, whatever the reason.
     */
    async signIn(
      { credential }: PasskeyLoginBody,
      accountOf: (userId: number) => Promise<UserRow | null>,
    ): Promise<UserRow> {
      const challenge = await takeChallenge(credential.response);
      if (!challenge || challenge.userId !== null) throw refused();
      const stored = await kysely(pool)
        .selectFrom('passkeys')
        .select(['id', 'userId', 'publicKey', 'counter', 'userHandle'])
        .where('credentialId', '=', credential.id)
        .executeTakeFirst();
      const user = stored && (await accountOf(stored.userId));
      if (!stored || !user || stored.userHandle !== credential.response.userHandle) throw refused();
      const { verifyAuthenticationResponse } = await webAuthn();
      // Also rejects a counter that did not increase: it may mean that the key was cloned.
      const verified = await verifyAuthenticationResponse({
        response: withoutUndefined(credential),
        expectedChallenge: challengeIn(credential.response.clientDataJSON),
        ...{ expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true },
        credential: {
          id: credential.id,
          publicKey: new Uint8Array(stored.publicKey),
          counter: Number(stored.counter),
        },
      }).catch(() => undefined);
      if (!verified?.verified) throw refused();
      const { newCounter: counter } = verified.authenticationInfo;
      const { numUpdatedRows } = await kysely(pool)
        .updateTable('passkeys')
        .set({ counter, usedAt: clock() })
        .where('id', '=', stored.id)
        .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)
        .executeTakeFirstOrThrow();
      if (!numUpdatedRows) throw refused();
      return user;
    },
  };
}

export type PasskeysOfAccounts = ReturnType<typeof passkeys>;

const tooMany = () => new HttpProblem(409, 'too-many-passkeys', { params: { max: MAX_PASSKEYS } });

async function count(tx: Queryable, userId: number): Promise<number> {
  const { count: n } = await kysely(tx)
    .selectFrom('passkeys')
    .select(countRows)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return n;
}

/** The challenge in the response's client data, or `''`. The caller compares it with the signed data. */
function challengeIn(clientDataJSON: string): string {
  try {
    const said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { challenge?: unknown };
    return typeof said.challenge === 'string' ? said.challenge : '';
  } catch {
    return '';
  }
}

/** Removes `authenticatorAttachment` if the browser did not send it. */
function withoutUndefined<C extends { authenticatorAttachment?: A | undefined }, A>({
  authenticatorAttachment,
  ...rest
}: C): Omit<C, 'authenticatorAttachment'> & { authenticatorAttachment?: A } {
  return { ...rest, ...(authenticatorAttachment !== undefined && { authenticatorAttachment }) };
}
