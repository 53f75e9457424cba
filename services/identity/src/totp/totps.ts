import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import type { CodeNeeded } from '@beltway/contracts/identity/accounts';
import type { TotpSetup, TotpState } from '@beltway/contracts/identity/totp';
import { Rejected } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import { HttpProblem, badField, unauthenticated } from '@beltway/kit/problems';
import { recordSecurity } from '@beltway/kit/security-log';
import { resealed, seal, unseal, type Secrets } from '@beltway/kit/secrets';
import type { LoginWaits } from '../throttle/waits.ts';
import type { UserRow } from '../user/queries.ts';
import { RECOVERY_CODES, newRecoveryCode, newSecret, qrOf, recoveryHash, stepOf, uriOf } from './codes.ts';
import type { Proof, TotpCommand } from './events.ts';
import type { TotpFactors } from './stream.ts';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

const PURPOSE = 'totp secret';
const SETUP_MS = 10 * 60_000;
export const CHALLENGE_MS = 5 * 60_000;
/** Maximum codes that may be tried after one correct password. */
export const MAX_TRIES = 5;
const RESEAL_PAGE = 200;

export interface TotpsDeps {
  pool: Pool;
  factors: TotpFactors;
  /** Seals with the first secret; opens with any of the secrets. */
  secret: Secrets;
  /** Waits after wrong codes. They are separate from the waits after wrong passwords. */
  waits: LoginWaits;
  log: Logger;
  clock: () => Date;
}

/** The account that a code belongs to, and its current password. */
export interface Shown {
  userId: number;
  credentialId: string;
}

/** Where a code came from. */
export interface From {
  address: string;
  requestId: string;
}

const wrongCode = () => badField('code', 'invalid.totp-code');
export const challengeInvalid = () => new HttpProblem(400, 'challenge-invalid');
const noSetup = () => new HttpProblem(409, 'no-setup');
const isOff = () => new HttpProblem(409, 'totp-off');
const isOn = () => new HttpProblem(409, 'totp-on');
const mayTurnOn = (role: string) => (role as Role) === 'business' || (role as Role) === 'admin';

/**
 * Codes of an authenticator app as the second step of a sign-in (RFC 6238, RFC 4226):
 * services/identity/PRODUCT.md#codes-at-sign-in
 */
export function totps({ pool, factors, secret, waits, log, clock }: TotpsDeps) {
  /**
   * Runs a command. Its command id is random: with an id derived from the code, a second command would get the result
   * of the first.
   */
  const decide = (userId: number, command: TotpCommand, requestId: string, by = userId) =>
    factors.handle(userId, command, { commandId: randomUUID(), correlationId: requestId, userId: by });

  const factorOf = (userId: number) =>
    kysely(pool)
      .selectFrom('totpFactors as f')
      .innerJoin('totpSecrets as s', 's.id', 'f.secretId')
      .select(['f.secretId', 's.sealed', 'f.turnedOnAt as since', 'f.recoveryCodesLeft as left'])
      .where('f.userId', '=', userId)
      .executeTakeFirst();

  function open(sealed: string): string {
    try {
      return unseal(secret, PURPOSE, sealed);
    } catch (error) {
      log.error({ err: error }, 'an authenticator secret was sealed with a secret outside KEY_ENCRYPTION_SECRET');
      throw new HttpProblem(409, 'codes-unreadable');
    }
  }

  /** Returns what the code proves, even if the code was already used. Undefined: the code is wrong. */
  async function proofOf({ secretId, sealed }: { secretId: string; sealed: string }, code: string) {
    if (/^\d{6}$/.test(code)) {
      const step = stepOf(open(sealed), code, clock());
      return step === undefined ? undefined : ({ secretId, step } satisfies Proof);
    }
    const found = await kysely(pool)
      .selectFrom('totpRecoveryCodes')
      .select('number')
      .where('secretId', '=', secretId)
      .where('hash', '=', recoveryHash(secretId, code))
      .executeTakeFirst();
    return found && ({ secretId, number: found.number } satisfies Proof);
  }

  /**
   * Uses up a code. A wrong or used code counts as a failure. All devices share the budget of an account and its
   * password: an attacker who knows the password can make the owner wait until the owner changes the password. Throws
   * 429, or 400 at `code`. `first` runs before each permitted try.
   */
  async function takeCode(
    { userId, credentialId }: Shown,
    { code, as }: { code: string; as: 'UseCode' | 'TurnOff' },
    { address, requestId }: From,
    first: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const right = await waits.attempt({ email: `code ${userId} ${credentialId}`, address }, async () => {
      await first();
      const factor = await factorOf(userId);
      if (!factor) throw isOff();
      const proof = await proofOf(factor, code);
      if (!proof) return false;
      try {
        await decide(userId, { type: as, proof }, requestId);
        return true;
      } catch (error) {
        // A concurrent sign-in has already used the code.
        if (error instanceof Rejected) return false;
        throw error;
      }
    });
    if (!right) {
      recordSecurity({ what: 'wrong-code', outcome: 'refused', account: userId, from: address, requestId });
      throw wrongCode();
    }
  }

  return {
    /** The secret that the account's codes are based on. Undefined while codes are off. */
    secretIdOf: async (userId: number): Promise<string | undefined> => (await factorOf(userId))?.secretId,

    async stateOf({ id, role }: Pick<UserRow, 'id' | 'role'>): Promise<TotpState> {
      const factor = await factorOf(id);
      return {
        ...{ isOn: factor !== undefined, mayTurnOn: mayTurnOn(role) },
        ...{ since: factor?.since.toISOString() ?? null, recoveryCodesLeft: factor?.left ?? 0 },
      };
    },

    /**
     * Creates a new secret. It takes effect when one of its codes is entered. Only the latest secret is valid. Throws
     * 403, 409.
     */
    async setUp({ id: userId, role, email }: UserRow): Promise<TotpSetup> {
      if (!mayTurnOn(role)) throw new HttpProblem(403, 'not-for-this-role');
      if (await factorOf(userId)) throw isOn();
      const text = newSecret();
      const row = { id: randomUUID(), userId, sealed: seal(secret, PURPOSE, text), createdAt: clock() };
      await transaction(pool, async (tx) => {
        // Locks the account's row, so that a concurrent erasure deletes the secret too.
        const account = await kysely(tx)
          .selectFrom('users')
          .select('id')
          .where('id', '=', userId)
          .forShare()
          .executeTakeFirst();
        if (!account) throw unauthenticated();
        // Earlier secrets stay until they are swept, because a concurrent request may be confirming one of them.
        await kysely(tx).insertInto('totpSecrets').values(row).execute();
      });
      const uri = uriOf(text, email);
      return { secret: text, uri, qr: qrOf(uri) };
    },

    /**
     * Turns codes on. This session then counts as having proved them. Returns the recovery codes, which cannot be read
     * again. Throws 400 at `code`, 409.
     */
    async turnOn(
      { id: userId, role }: UserRow,
      code: string,
      { sessionId, requestId }: { sessionId: string; requestId: string },
    ): Promise<string[]> {
      if (await factorOf(userId)) throw isOn();
      const setup = await kysely(pool)
        .selectFrom('totpSecrets')
        .select(['id', 'sealed'])
        .where('userId', '=', userId)
        .where('createdAt', '>', new Date(clock().getTime() - SETUP_MS))
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!setup || !mayTurnOn(role)) throw noSetup();
      const step = stepOf(open(setup.sealed), code, clock());
      if (step === undefined) throw wrongCode();
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      // The hashes are written before the event that makes them valid. If requests are concurrent, one succeeds and
      // returns its codes.
      const hashes = codes.map((one) => recoveryHash(setup.id, one));
      const { numAffectedRows: written } = await sql`insert into totp_recovery_codes (secret_id, number, hash)
        select s.id, c.number - 1, c.hash from totp_secrets s, unnest(${hashes}::bytea[]) with ordinality c (hash, number)
        where s.id = ${setup.id} on conflict do nothing`.execute(kysely(pool));
      if (Number(written) !== codes.length) throw (await factorOf(userId)) ? isOn() : noSetup();
      // Before the event, so that a refresh between the two steps does not end the session (`actingRole`).
      await kysely(pool).updateTable('sessions').set({ totpSecretId: setup.id }).where('id', '=', sessionId).execute();
      await decide(userId, { type: 'TurnOn', secretId: setup.id, step, recoveryCodes: codes.length }, requestId).catch(
        (error: unknown) => {
          throw error instanceof Rejected ? isOn() : error;
        },
      );
      return codes;
    },

    /**
     * After the password was verified, creates the challenge for the second step. Returns undefined if the account has
     * no codes.
     */
    async challenge({ id: userId, credentialId }: UserRow): Promise<CodeNeeded | undefined> {
      if (!(await factorOf(userId))) return undefined;
      const challenge = randomBytes(32).toString('base64url');
      const madeAt = clock();
      const row = { hash: hashOf(challenge), userId, credentialId, tries: 0, madeAt };
      await kysely(pool).insertInto('totpChallenges').values(row).execute();
      return { challenge, expiresAt: new Date(madeAt.getTime() + CHALLENGE_MS).toISOString() };
    },

    /** The account and password of a challenge. Undefined: the challenge has expired. */
    challenged: (challenge: string): Promise<Shown | undefined> =>
      kysely(pool)
        .selectFrom('totpChallenges')
        .select(['userId', 'credentialId'])
        .where('hash', '=', hashOf(challenge))
        .where('tries', '<', MAX_TRIES)
        .where('madeAt', '>', new Date(clock().getTime() - CHALLENGE_MS))
        .executeTakeFirst(),

    /** The second step: uses up the code and the challenge. Throws 400 at `code` or `challenge-invalid`, 429. */
    async answer(shown: Shown, { challenge, code }: { challenge: string; code: string }, from: From): Promise<void> {
      const hash = hashOf(challenge);
      await takeCode(shown, { code, as: 'UseCode' }, from, async () => {
        const { numUpdatedRows } = await kysely(pool)
          .updateTable('totpChallenges')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('hash', '=', hash)
          .where('tries', '<', MAX_TRIES)
          .executeTakeFirstOrThrow();
        if (!numUpdatedRows) throw challengeInvalid();
      });
      // If two codes arrive concurrently, such as an app code and a recovery code, only one begins a session.
      const { numDeletedRows } = await kysely(pool)
        .deleteFrom('totpChallenges')
        .where('hash', '=', hash)
        .executeTakeFirstOrThrow();
      if (!numDeletedRows) throw challengeInvalid();
    },

    /** Turns codes off. Requires an unused code or recovery code. Throws 400 at `code`, 409, 429. */
    turnOff: ({ id: userId, credentialId }: UserRow, code: string, from: From): Promise<void> =>
      takeCode({ userId, credentialId }, { code, as: 'TurnOff' }, from),

    /** Turns codes off for an owner who lost both the app and the recovery codes. */
    takeOff: (userId: number, adminId: number, requestId: string): Promise<unknown> =>
      decide(userId, { type: 'TakeOff', adminId }, requestId, adminId),

    /** Seals secrets with the current secret if an older accepted secret sealed them (docs/operations/rotation.md). */
    async sealAnew(): Promise<void> {
      for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
        const rows = await kysely(pool)
          .selectFrom('totpSecrets')
          .select(['id', 'sealed'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(RESEAL_PAGE)
          .execute();
        let count = 0;
        for (const { id, sealed } of rows) {
          const anew = anewOf(id, sealed);
          if (anew === undefined) continue;
          await kysely(pool)
            .updateTable('totpSecrets')
            .set({ sealed: anew })
            .where('id', '=', id)
            .where('sealed', '=', sealed)
            .execute();
          count++;
        }
        if (count > 0) log.info({ count }, 're-sealed authenticator secrets');
        if (rows.length < RESEAL_PAGE) return;
        after = rows.at(-1)!.id;
      }
    },
  };

  function anewOf(id: string, sealed: string): string | undefined {
    try {
      return resealed(secret, PURPOSE, sealed);
    } catch {
      log.warn({ id }, 'this authenticator secret was sealed with a secret outside KEY_ENCRYPTION_SECRET');
      return undefined;
    }
  }
}

export type Totps = ReturnType<typeof totps>;

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();
