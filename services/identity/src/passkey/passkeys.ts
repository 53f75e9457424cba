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

/** COSE: ES256, RS256. */
const ALGORITHMS = [-7, -257];

/** A challenge is good for so long, and once. */
const CHALLENGE_MS = 5 * 60_000;

/** Loaded when a passkey is first used: it reads certificates of many makers, and a start needs none of it. */
const webAuthn = () => import('@simplewebauthn/server');

const refused = () =>
  new HttpProblem(401, 'passkey-refused', 'This passkey does not open an account here. Sign in with your password.');
const invalid = () => badField('credential', 'This passkey could not be added. Please try again.');

const SELECT = `select id, name, created_at as "addedAt", used_at as "usedAt" from passkeys`;
type Row = Pick<Passkey, 'id' | 'name'> & { addedAt: Date; usedAt: Date | null };
const asPasskey = ({ id, name, addedAt, usedAt }: Row): Passkey => ({
  ...{ id, name, addedAt: addedAt.toISOString() },
  usedAt: usedAt?.toISOString() ?? null,
});

/** What an account has, the oldest first. */
export async function passkeysOf(pool: Pool, userId: number): Promise<Passkey[]> {
  const { rows } = await pool.query<Row>(`${SELECT} where user_id = $1 order by created_at, id limit ${MAX_PASSKEYS}`, [
    userId,
  ]);
  return rows.map(asPasskey);
}

interface Challenge {
  userId: number | null;
  userHandle: string | null;
  generation: number | null;
}

const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest();

/**
 * Passkeys of accounts (WebAuthn level 3): the authenticator finds the account itself and checks its person, so one stands for address,
 * password and code at once (docs/decisions/0090).
 */
export function passkeys({ pool, publicUrl, clock }: { pool: Pool; publicUrl: string; clock: () => Date }) {
  const { origin, hostname } = new URL(publicUrl);

  async function newChallenge(of?: { userId: number; userHandle: string; generation: number }) {
    const challenge = randomBytes(32);
    const { userId = null, userHandle = null, generation = null } = of ?? {};
    await pool.query(
      `insert into passkey_challenges (hash, user_id, user_handle, generation, made_at) values ($1, $2, $3, $4, $5)`,
      [hashOf(challenge.toString('base64url')), userId, userHandle, generation, clock()],
    );
    return new Uint8Array(challenge);
  }

  /** Takes the challenge that was answered, whatever comes of the answer: it is good once. */
  async function takeChallenge({ clientDataJSON }: { clientDataJSON: string }) {
    const { rows } = await pool.query<Challenge & { madeAt: Date }>(
      `delete from passkey_challenges where hash = $1
       returning user_id as "userId", user_handle as "userHandle", generation, made_at as "madeAt"`,
      [hashOf(challengeIn(clientDataJSON))],
    );
    const [found] = rows;
    return found && clock().getTime() - found.madeAt.getTime() < CHALLENGE_MS ? found : undefined;
  }

  return {
    /** For `navigator.credentials.create`. Throws 409 `too-many-passkeys`. */
    async optionsToAdd({ id: userId, email, name, generation }: UserRow): Promise<PasskeyOptions> {
      const { rows } = await pool.query<{ credentialId: string; transports: string[]; userHandle: string }>(
        `select credential_id as "credentialId", transports, user_handle as "userHandle" from passkeys where user_id = $1`,
        [userId],
      );
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
      const known = () =>
        pool.query<Row>(`${SELECT} where credential_id = $1 and user_id = $2`, [credential.id, userId]);
      const [repeat] = (await known()).rows;
      if (repeat) return asPasskey(repeat);
      const challenge = await takeChallenge(credential.response);
      if (!challenge || challenge.userId !== userId) throw invalid();
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
        const { rowCount } = await tx.query('select from users where id = $1 and generation = $2 for no key update', [
          ...[userId, challenge.generation],
        ]);
        if (!rowCount) throw invalid();
        if ((await count(tx, userId)) >= MAX_PASSKEYS) throw tooMany();
        const { rows } = await tx.query<Row>(
          `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, user_handle, name, generation, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing
           returning id, name, created_at as "addedAt", used_at as "usedAt"`,
          [
            ...[id, userId, credentialId, Buffer.from(publicKey), counter, transports, challenge.userHandle],
            ...[name, challenge.generation, clock()],
          ],
        );
        if (rows[0]) await queueMailOfChange(tx, { kind: 'passkey-added', userId, email, detail: name });
        return rows[0];
      });
      // Another account has what is called so: an authenticator does not make the same twice.
      if (!row) throw invalid();
      return asPasskey(row);
    },

    async rename(userId: number, id: string, name: string): Promise<Passkey | undefined> {
      const { rows } = await pool.query<Row>(
        `update passkeys set name = $3 where id = $1 and user_id = $2
         returning id, name, created_at as "addedAt", used_at as "usedAt"`,
        [id, userId, name],
      );
      return rows[0] && asPasskey(rows[0]);
    },

    async remove(userId: number, id: string): Promise<void> {
      await pool.query('delete from passkeys where id = $1 and user_id = $2', [id, userId]);
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
      const { rows } = await pool.query<Stored>(
        `select id, user_id as "userId", public_key as "publicKey", counter, user_handle as "userHandle"
         from passkeys where credential_id = $1`,
        [credential.id],
      );
      const [stored] = rows;
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
      const { rowCount } = await pool.query(
        `update passkeys set counter = $2, used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
        [stored.id, verified.authenticationInfo.newCounter, clock()],
      );
      if (!rowCount) throw refused();
      return user;
    },
  };
}

export type PasskeysOfAccounts = ReturnType<typeof passkeys>;

interface Stored {
  id: string;
  userId: number;
  publicKey: Buffer;
  counter: string;
  userHandle: string;
}

const tooMany = () =>
  new HttpProblem(409, 'too-many-passkeys', `An account has ${MAX_PASSKEYS} passkeys at most. Delete one first.`);

async function count(tx: Queryable, userId: number): Promise<number> {
  const { rows } = await tx.query<{ n: number }>('select count(*)::integer as n from passkeys where user_id = $1', [
    userId,
  ]);
  return rows[0]!.n;
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
