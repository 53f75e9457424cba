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

/** COSE: ES256, RS256. */
const ALGORITHMS = [-7, -257];

/** A challenge is good for so long, and once. */
const CHALLENGE_MS = 5 * 60_000;

/** Loaded when a passkey is first used: it reads certificates of many makers, and a start needs none of it. */
const webAuthn = () => import('@simplewebauthn/server');

const refused = () => new HttpProblem(401, 'passkey-refused');
const invalid = () => badField('credential', 'invalid.passkey');

const COLUMNS = ['id', 'name', 'createdAt as addedAt', 'usedAt'] as const;
type Row = Pick<Passkey, 'id' | 'name'> & { addedAt: Date; usedAt: Date | null };
const asPasskey = ({ id, name, addedAt, usedAt }: Row): Passkey => ({
  ...{ id, name, addedAt: addedAt.toISOString() },
  usedAt: usedAt?.toISOString() ?? null,
});

/** What an account has, the oldest first. */
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
 * Passkeys of accounts (WebAuthn level 3): the authenticator finds the account itself and checks its person, so one stands for address,
 * password and code together (docs/decisions/0093).
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

  /** Takes the challenge that was answered, whatever comes of the answer: it is good once. */
  async function takeChallenge({ clientDataJSON }: { clientDataJSON: string }) {
    const found = await kysely(pool)
      .deleteFrom('passkeyChallenges')
      .where('hash', '=', hashOf(challengeIn(clientDataJSON)))
      .returning(['userId', 'userHandle', 'generation', 'madeAt'])
      .executeTakeFirst();
    return found && clock().getTime() - found.madeAt.getTime() < CHALLENGE_MS ? found : undefined;
  }

  return {
    /** For `navigator.credentials.create`. Throws 409 `too-many-passkeys`. */
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
        // ES256 and RS256: between them every authenticator has one (the library's own list asks Node for an experimental one).
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { ...options };
    },

    /**
     * Adds what the browser made, and has the owner told. A repeat answers what is there. Throws 400 at `credential` for what was not made
     * for this account a moment ago, 409 `too-many-passkeys`.
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
        // An account that is erased, or whose password is reset, in this moment waits for us and takes it away, or has done so.
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
      // Another account has what is called so: an authenticator does not make the same twice.
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

    /** For `navigator.credentials.get`, the same for everybody. */
    async optionsToSignIn(): Promise<PasskeyOptions> {
      const { generateAuthenticationOptions } = await webAuthn();
      const challenge = await newChallenge();
      const about = { rpID: hostname, timeout: CHALLENGE_MS, userVerification: 'required' } as const;
      return { ...(await generateAuthenticationOptions({ ...about, challenge })) };
    },

    /**
     * The account that the answer opens. `accountOf` is asked before the passkey counts as used: of a reset in between, either the passkey is
     * gone, or the account is the one of before, whose sessions end. Throws 401 `passkey-refused`, whatever the reason.
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
      // It also refuses a counter that does not rise: two have the key.
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

/** The challenge that an answer says it is to; `''` where it says none. What it says is compared with what was signed. */
function challengeIn(clientDataJSON: string): string {
  try {
    const said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { challenge?: unknown };
    return typeof said.challenge === 'string' ? said.challenge : '';
  } catch {
    return '';
  }
}

/** Without the member where a browser did not say it. */
function withoutUndefined<C extends { authenticatorAttachment?: A | undefined }, A>({
  authenticatorAttachment,
  ...rest
}: C): Omit<C, 'authenticatorAttachment'> & { authenticatorAttachment?: A } {
  return { ...rest, ...(authenticatorAttachment !== undefined && { authenticatorAttachment }) };
}
