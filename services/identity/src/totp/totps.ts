import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import type { CodeNeeded } from '@beltway/contracts/identity/accounts';
import type { TotpSetup, TotpState } from '@beltway/contracts/identity/totp';
import { Rejected } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import { HttpProblem, badField, unauthenticated } from '@beltway/kit/problems';
import { resealed, seal, unseal, type Secrets } from '@beltway/kit/secrets';
import type { LoginWaits } from '../throttle/waits.ts';
import type { UserRow } from '../user/queries.ts';
import { RECOVERY_CODES, newRecoveryCode, newSecret, qrOf, recoveryHash, stepOf, uriOf } from './codes.ts';
import { totpChallenges, totpSecrets } from './columns.ts';
import type { Proof, TotpCommand } from './events.ts';
import type { TotpFactors } from './stream.ts';

const PURPOSE = 'totp secret';
const SETUP_MS = 10 * 60_000;
export const CHALLENGE_MS = 5 * 60_000;
/** Codes that are tried on one right password. */
export const MAX_TRIES = 5;
const RESEAL_PAGE = 200;

const ADD_SECRET = totpSecrets.insert(['id', 'userId', 'sealed', 'createdAt']);
const ADD_CHALLENGE = totpChallenges.insert(['hash', 'userId', 'credentialId', 'tries', 'madeAt']);
/** The account's row is held: who is erased meanwhile leaves no secret behind. */
const HOLD_ACCOUNT = 'select from users where id = $1 for share';

export interface TotpsDeps {
  pool: Pool;
  factors: TotpFactors;
  /** The first seals, all open. */
  secret: Secrets;
  /** Of codes: nothing else makes them wait. */
  waits: LoginWaits;
  log: Logger;
  clock: () => Date;
}

/** Whose code it is, and the password that the account has. */
export interface Shown {
  userId: number;
  credentialId: string;
}

/** From where a code is shown. */
export interface From {
  address: string;
  requestId: string;
}

const wrongCode = () =>
  badField('code', 'This code is not right, or it was used already. Enter the one that your app shows now.');
export const challengeInvalid = () =>
  new HttpProblem(400, 'challenge-invalid', 'This sign-in took too long, or too many codes were wrong. Sign in again.');
const noSetup = () =>
  new HttpProblem(409, 'no-setup', 'This took too long, or was begun elsewhere. Please begin again.');
const isOff = () => new HttpProblem(409, 'totp-off', 'Sign-ins to your account do not ask for a code.');
const isOn = () => new HttpProblem(409, 'totp-on', 'Sign-ins to your account ask for a code already.');
const mayTurnOn = (role: string) => (role as Role) === 'business' || (role as Role) === 'admin';

/** A second step of sign-ins, by codes of an authenticator app (RFC 6238, RFC 4226): docs/product.md#codes-at-sign-in */
export function totps({ pool, factors, secret, waits, log, clock }: TotpsDeps) {
  /** Never with an id that names the code: a command that comes again would be answered as the first one was. */
  const decide = (userId: number, command: TotpCommand, requestId: string, by = userId) =>
    factors.handle(userId, command, { commandId: randomUUID(), correlationId: requestId, userId: by });

  async function factorOf(userId: number) {
    const { rows } = await pool.query<{ secretId: string; sealed: string; since: Date; left: number }>(
      `select f.secret_id as "secretId", s.sealed, f.turned_on_at as since, f.recovery_codes_left as left
       from totp_factors f join totp_secrets s on s.id = f.secret_id where f.user_id = $1`,
      [userId],
    );
    return rows[0];
  }

  function open(sealed: string): string {
    try {
      return unseal(secret, PURPOSE, sealed);
    } catch (error) {
      log.error({ err: error }, 'a secret of an app was sealed with a secret that KEY_ENCRYPTION_SECRET does not name');
      throw new HttpProblem(409, 'codes-unreadable', 'Codes of your app cannot be checked now. Use a recovery code.');
    }
  }

  /** What the code proves, used or not; undefined: nothing. */
  async function proofOf({ secretId, sealed }: { secretId: string; sealed: string }, code: string) {
    if (/^\d{6}$/.test(code)) {
      const step = stepOf(open(sealed), code, clock());
      return step === undefined ? undefined : ({ secretId, step } satisfies Proof);
    }
    const { rows } = await pool.query<{ number: number }>(
      'select number from totp_recovery_codes where secret_id = $1 and hash = $2',
      [secretId, recoveryHash(secretId, code)],
    );
    return rows[0] && ({ secretId, number: rows[0].number } satisfies Proof);
  }

  /**
   * Takes a code, once, and counts it where it is wrong or was used. All devices share what an account has with one password: who knows
   * that can make its owner wait, until there is another one. Throws 400 at `code`, 429. `first`: before each try that is not made to wait.
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
        // Another sign-in used it a moment ago.
        if (error instanceof Rejected) return false;
        throw error;
      }
    });
    if (!right) throw wrongCode();
  }

  return {
    async stateOf({ id, role }: Pick<UserRow, 'id' | 'role'>): Promise<TotpState> {
      const factor = await factorOf(id);
      return {
        ...{ isOn: factor !== undefined, mayTurnOn: mayTurnOn(role) },
        ...{ since: factor?.since.toISOString() ?? null, recoveryCodesLeft: factor?.left ?? 0 },
      };
    },

    /** A new secret, which counts once a code of it was shown. The newest is the one. Throws 403, 409. */
    async setUp({ id: userId, role, email }: UserRow): Promise<TotpSetup> {
      if (!mayTurnOn(role))
        throw new HttpProblem(403, 'not-for-this-role', 'Codes at sign-in are for business accounts and admins.');
      if (await factorOf(userId)) throw isOn();
      const text = newSecret();
      const row = { id: randomUUID(), userId, sealed: seal(secret, PURPOSE, text), createdAt: clock() };
      await transaction(pool, async (tx) => {
        const { rowCount } = await tx.query(HOLD_ACCOUNT, [userId]);
        if (!rowCount) throw unauthenticated();
        // Those of before stay until they are swept: one of them may be confirmed at this moment.
        await tx.query(ADD_SECRET.text, ADD_SECRET.values(row));
      });
      const uri = uriOf(text, email);
      return { secret: text, uri, qr: qrOf(uri) };
    },

    /** Turns it on; answers the recovery codes, which nobody can read again. Throws 400 at `code`, 409. */
    async turnOn({ id: userId, role }: UserRow, code: string, requestId: string): Promise<string[]> {
      if (await factorOf(userId)) throw isOn();
      const { rows } = await pool.query<{ id: string; sealed: string }>(
        'select id, sealed from totp_secrets where user_id = $1 and created_at > $2 order by created_at desc limit 1',
        [userId, new Date(clock().getTime() - SETUP_MS)],
      );
      const setup = rows[0];
      if (!setup || !mayTurnOn(role)) throw noSetup();
      const step = stepOf(open(setup.sealed), code, clock());
      if (step === undefined) throw wrongCode();
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      // Before the event that makes them count. Of two at once one wins, and its codes are those that it tells.
      const { rowCount } = await pool.query(
        `insert into totp_recovery_codes (secret_id, number, hash)
         select s.id, c.number - 1, c.hash from totp_secrets s, unnest($2::bytea[]) with ordinality c (hash, number)
         where s.id = $1 on conflict do nothing`,
        [setup.id, codes.map((one) => recoveryHash(setup.id, one))],
      );
      if (rowCount !== codes.length) throw (await factorOf(userId)) ? isOn() : noSetup();
      await decide(userId, { type: 'TurnOn', secretId: setup.id, step, recoveryCodes: codes.length }, requestId).catch(
        (error: unknown) => {
          throw error instanceof Rejected ? isOn() : error;
        },
      );
      return codes;
    },

    /** After the right password: what the second step is made with. Undefined: the account has none. */
    async challenge({ id: userId, credentialId }: UserRow): Promise<CodeNeeded | undefined> {
      if (!(await factorOf(userId))) return undefined;
      const challenge = randomBytes(32).toString('base64url');
      const madeAt = clock();
      const row = { hash: hashOf(challenge), userId, credentialId, tries: 0, madeAt };
      await pool.query(ADD_CHALLENGE.text, ADD_CHALLENGE.values(row));
      return { challenge, expiresAt: new Date(madeAt.getTime() + CHALLENGE_MS).toISOString() };
    },

    /** Whose password was shown for it, and which; undefined when it is over. */
    async challenged(challenge: string): Promise<Shown | undefined> {
      const { rows } = await pool.query<Shown>(
        `select user_id as "userId", credential_id as "credentialId" from totp_challenges
         where hash = $1 and tries < $2 and made_at > $3`,
        [hashOf(challenge), MAX_TRIES, new Date(clock().getTime() - CHALLENGE_MS)],
      );
      return rows[0];
    },

    /** The second step: takes a code, and ends the challenge. Throws 400 at `code` or `challenge-invalid`, 429. */
    async answer(shown: Shown, { challenge, code }: { challenge: string; code: string }, from: From): Promise<void> {
      const hash = hashOf(challenge);
      await takeCode(shown, { code, as: 'UseCode' }, from, async () => {
        const { rowCount } = await pool.query(
          'update totp_challenges set tries = tries + 1 where hash = $1 and tries < $2',
          [hash, MAX_TRIES],
        );
        if (!rowCount) throw challengeInvalid();
      });
      // Of two codes at once, such as one of the app and a recovery code, one begins a session.
      const { rowCount } = await pool.query('delete from totp_challenges where hash = $1', [hash]);
      if (!rowCount) throw challengeInvalid();
    },

    /** Turns it off, by a code or a recovery code that was not used. Throws 400 at `code`, 409, 429. */
    turnOff: ({ id: userId, credentialId }: UserRow, code: string, from: From): Promise<void> =>
      takeCode({ userId, credentialId }, { code, as: 'TurnOff' }, from),

    /** Takes it off an account whose owner has lost app and recovery codes. */
    takeOff: (userId: number, adminId: number, requestId: string): Promise<unknown> =>
      decide(userId, { type: 'TakeOff', adminId }, requestId, adminId),

    /** Seals anew what was sealed with a secret that only is accepted still (docs/operations/rotation.md). */
    async sealAnew(): Promise<void> {
      for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
        const { rows } = await pool.query<{ id: string; sealed: string }>(
          `select id, sealed from totp_secrets where id > $1 order by id limit ${RESEAL_PAGE}`,
          [after],
        );
        let count = 0;
        for (const { id, sealed } of rows) {
          const anew = anewOf(id, sealed);
          if (anew === undefined) continue;
          await pool.query('update totp_secrets set sealed = $2 where id = $1 and sealed = $3', [id, anew, sealed]);
          count++;
        }
        if (count > 0) log.info({ count }, 'sealed secrets of apps anew');
        if (rows.length < RESEAL_PAGE) return;
        after = rows.at(-1)!.id;
      }
    },
  };

  function anewOf(id: string, sealed: string): string | undefined {
    try {
      return resealed(secret, PURPOSE, sealed);
    } catch {
      log.warn({ id }, 'this secret of an app was sealed with a secret that KEY_ENCRYPTION_SECRET does not name');
      return undefined;
    }
  }
}

export type Totps = ReturnType<typeof totps>;

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();
