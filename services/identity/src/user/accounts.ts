import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import type { Language } from '@beltway/contracts/common/languages';
import { CommandReused, Rejected, fingerprintOf, uuidFrom, violated } from '@beltway/event-store';
import { nextval } from '@beltway/kit/kysely';
import { siteOf } from '@beltway/kit/network';
import { once } from '@beltway/kit/once';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { HttpProblem, badField } from '@beltway/kit/problems';
import { rememberLanguage } from '../account/language.ts';
import { kysely, type Db } from '../db.ts';
import { isDemo } from '../demo.ts';
import { isCommon } from '../password/common.ts';
import type { Asker } from '../password/fair-queue.ts';
import type { Hasher } from '../password/hasher.ts';
import type { Attempt, LoginWaits } from '../throttle/waits.ts';
import { userById, type UserRow } from './queries.ts';
import type { Users } from './stream.ts';

export interface Registration {
  email: string;
  password: string;
  name: string;
  role: Role;
  /** The referral code that was typed, and the account that it belongs to, if any. */
  referral?: { code: string; referrerId: number | undefined } | undefined;
}

export interface AccountsOptions {
  db: Db;
  pool: Pool;
  users: Users;
  hasher: Hasher;
  waits: LoginWaits;
}

/** Where a password came from. */
export interface ShownFrom extends Omit<Attempt, 'email'> {
  /** Whether demo accounts may be used from there. */
  demo: boolean;
}

/**
 * The attempt's group in the queue of password checks. Known devices are also grouped by network, because an attacker
 * can create accounts and make devices known to them.
 */
function askerOf({ email, address, device }: Attempt): Asker {
  const site = siteOf(address);
  if (device !== undefined) return { group: site, member: email, known: true };
  return { group: site, member: site === address ? email : address, known: false };
}

const tooCommon = (field: string) => badField(field, 'invalid.password-common');
const wrongCredentials = () => new HttpProblem(401, 'wrong-credentials');
export const emailTaken = () => new HttpProblem(409, 'email-taken');

/** Registration, passwords and sign-in of accounts. */
export function accounts({ db, pool, users, hasher, waits }: AccountsOptions) {
  /** Repeats with the same key get the same user id, even while the first attempt is still running. */
  async function reserveId(commandId: string | undefined): Promise<number> {
    const nextId = async (on: Queryable) => (await nextval(kysely(on), 'user_ids').executeTakeFirstOrThrow()).id;
    if (!commandId) return nextId(pool);
    // The fingerprint is stored in the registration event instead.
    const request = { userId: 0, kind: 'registration', key: commandId, fingerprint: '' };
    return transaction(pool, (tx) => once(tx, request, () => nextId(tx)));
  }

  const hashOf = async (credentialId: string) =>
    (await db.credential.findUnique({ where: { id: credentialId } }))?.passwordHash;

  /**
   * Returns the account if the password is correct. Throws 429 while earlier wrong passwords block the attempt. For an
   * unknown account, takes as long as for a wrong password.
   */
  async function prove(
    attempt: Attempt,
    password: string,
    find: () => Promise<UserRow | null>,
  ): Promise<UserRow | undefined> {
    await waits.check(attempt);
    let row: UserRow | null = null;
    const right = await hasher.inTurn(askerOf(attempt), ({ verify }) =>
      waits.attempt(attempt, async () => {
        row = await find();
        return verify(row ? await hashOf((row as UserRow).credentialId) : undefined, password);
      }),
    );
    return right && row ? row : undefined;
  }

  return {
    /**
     * Hashes one password whatever the outcome, so that a known email address takes as long as a new one. The hash is
     * written before the event that refers to it. Unreferenced hashes are swept.
     */
    async register(
      registration: Registration,
      {
        key,
        requestId,
        language,
        demo,
        ...from
      }: ShownFrom & { key?: string | undefined; requestId: string; language?: Language | undefined },
    ): Promise<UserRow> {
      const { email, password, name, role, referral } = registration;
      const referredBy = referral?.referrerId;
      if (isCommon(password, registration)) throw tooCommon('password');
      if (!demo && isDemo(email)) throw emailTaken();
      const commandId = key === undefined ? undefined : uuidFrom(`register\0${key}`);
      const asker = askerOf({ email, address: from.address });
      const credentialId: string = randomUUID();
      const { id, isRepeat } = await hasher.inTurn(asker, async ({ hash }) => {
        const reserved = await reserveId(commandId);
        // The password of a repeat is checked below, so hashing it here would double the cost.
        const known = commandId !== undefined && (await userById(db, reserved)) !== null;
        if (!known) await db.credential.create({ data: { id: credentialId, passwordHash: await hash(password) } });
        return { id: reserved, isRepeat: known };
      });
      // Stored before the event, because the mail about the event may be sent immediately.
      if (!isRepeat) await rememberLanguage(pool, id, language);
      const forget = () => db.credential.deleteMany({ where: { id: credentialId } });

      let winner = credentialId;
      try {
        const { events } = await users.handle(
          id,
          { type: 'RegisterUser', email, name, role, credentialId, ...(referredBy !== undefined && { referredBy }) },
          // The fingerprint leaves out the password, because the log must not contain a digest of it.
          {
            commandId: commandId ?? randomUUID(),
            fingerprint: fingerprintOf({ email, name, role, ...(referral && { referralCode: referral.code }) }),
            correlationId: requestId,
            userId: id,
          },
        );
        for (const { type, data } of events) if (type === 'UserRegistered') winner = data.credentialId;
      } catch (error) {
        // The hash is deleted only after definite failures: after a broken connection the event may be in the log.
        if (isEmailTaken(error) || error instanceof CommandReused || error instanceof Rejected) await forget();
        // The id belongs to no account and is never assigned again.
        if (isEmailTaken(error)) await db.accountLanguage.deleteMany({ where: { userId: id } });
        throw isEmailTaken(error) ? emailTaken() : error;
      }
      if (winner !== credentialId) {
        await forget();
        // A repeated registration is rejected if the password or email address has changed since the first.
        const same = await prove({ email, ...from }, password, async () => {
          const row = await userById(db, id);
          return row?.credentialId === winner && row.email === email ? row : null;
        });
        if (!same) throw new CommandReused();
        return same;
      }
      return db.user.findUniqueOrThrow({ where: { id } });
    },

    /**
     * Changes an account's password and ends all its sessions. Returns the changed account. `user`: the account when
     * the old password or the link was checked. Throws 400 at `field` for a common password. Throws `Rejected`
     * `link-invalid` when password or email address have changed since then, so only one of several concurrent changes
     * succeeds.
     */
    async changePassword(
      user: UserRow,
      { password, field, by }: { password: string; field: string; by: 'reset' | 'owner' },
      { requestId, ...from }: { requestId: string; address: string; device?: string | undefined },
    ): Promise<UserRow> {
      const { id, email, name, credentialId: replaces } = user;
      if (isCommon(password, { email, name })) throw tooCommon(field);
      const credentialId: string = randomUUID();
      await hasher.inTurn(askerOf({ email, address: from.address }), async ({ hash }) =>
        db.credential.create({ data: { id: credentialId, passwordHash: await hash(password) } }),
      );
      try {
        await users.handle(
          id,
          { type: 'ChangePassword', credentialId, replaces, email, by },
          { commandId: randomUUID(), correlationId: requestId, userId: id },
        );
      } catch (error) {
        // The hash is deleted only after definite failures, as above. Other unused hashes are swept.
        if (error instanceof Rejected) await db.credential.deleteMany({ where: { id: credentialId } });
        throw error;
      }
      await db.credential.deleteMany({ where: { id: replaces } });
      return db.user.findUniqueOrThrow({ where: { id } });
    },

    /** For an unknown email address and for a wrong password, throws the same 401 after the same time. */
    async login(
      { email, password }: { email: string; password: string },
      { demo, ...from }: ShownFrom,
    ): Promise<UserRow> {
      const user = await prove({ email, ...from }, password, () =>
        !demo && isDemo(email) ? Promise.resolve(null) : db.user.findUnique({ where: { email } }),
      );
      if (!user) throw wrongCredentials();
      return user;
    },
  };
}

export type Accounts = ReturnType<typeof accounts>;

export const isEmailTaken = (error: unknown): boolean => violated(error) === 'users_email_key';
