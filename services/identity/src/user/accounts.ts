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
  /** As it came, and the account that it is of, if any. */
  referral?: { code: string; referrerId: number | undefined } | undefined;
}

export interface AccountsOptions {
  db: Db;
  pool: Pool;
  users: Users;
  hasher: Hasher;
  waits: LoginWaits;
}

/** From where a password is shown. */
export interface ShownFrom extends Omit<Attempt, 'email'> {
  /** Whether a demo account may be used from there. */
  demo: boolean;
}

/** Turns go round by site, also among known devices: accounts, and devices known to them, are had for the asking. */
function askerOf({ email, address, device }: Attempt): Asker {
  const site = siteOf(address);
  if (device !== undefined) return { group: site, member: email, known: true };
  return { group: site, member: site === address ? email : address, known: false };
}

const tooCommon = (field: string) => badField(field, 'invalid.password-common');
const wrongCredentials = () => new HttpProblem(401, 'wrong-credentials');
export const emailTaken = () => new HttpProblem(409, 'email-taken');

/** Who may have an account, and who proves to be whom. */
export function accounts({ db, pool, users, hasher, waits }: AccountsOptions) {
  /** The same key is the same user, also for a repeat while the first try still runs. */
  async function reserveId(commandId: string | undefined): Promise<number> {
    const nextId = async (on: Queryable) => (await nextval(kysely(on), 'user_ids').executeTakeFirstOrThrow()).id;
    if (!commandId) return nextId(pool);
    // The event of the registration has the fingerprint.
    const request = { userId: 0, kind: 'registration', key: commandId, fingerprint: '' };
    return transaction(pool, (tx) => once(tx, request, () => nextId(tx)));
  }

  const hashOf = async (credentialId: string) =>
    (await db.credential.findUnique({ where: { id: credentialId } }))?.passwordHash;

  /** The account, if this is its password, after the waits that wrong ones earn. An unknown account takes as long as a wrong password. */
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
     * One password is hashed whatever the outcome, so a known email takes as long as a new one. The hash is written before the
     * event that points at it; one that no event points at in the end is swept.
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
        // A repeat proves itself by its password, below; to hash it anew would be to pay twice.
        const known = commandId !== undefined && (await userById(db, reserved)) !== null;
        if (!known) await db.credential.create({ data: { id: credentialId, passwordHash: await hash(password) } });
        return { id: reserved, isRepeat: known };
      });
      // Before the event, which is mailed about at once.
      if (!isRepeat) await rememberLanguage(pool, id, language);
      const forget = () => db.credential.deleteMany({ where: { id: credentialId } });

      let winner = credentialId;
      try {
        const { events } = await users.handle(
          id,
          { type: 'RegisterUser', email, name, role, credentialId, ...(referredBy !== undefined && { referredBy }) },
          // No digest of the password may stand in the log, so it is not part of the fingerprint.
          {
            commandId: commandId ?? randomUUID(),
            fingerprint: fingerprintOf({ email, name, role, ...(referral && { referralCode: referral.code }) }),
            correlationId: requestId,
            userId: id,
          },
        );
        for (const { type, data } of events) if (type === 'UserRegistered') winner = data.credentialId;
      } catch (error) {
        // Only what is certain: after a broken connection the event may stand in the log.
        if (isEmailTaken(error) || error instanceof CommandReused || error instanceof Rejected) await forget();
        // Of nobody: the number is not given to another account.
        if (isEmailTaken(error)) await db.accountLanguage.deleteMany({ where: { userId: id } });
        throw isEmailTaken(error) ? emailTaken() : error;
      }
      if (winner !== credentialId) {
        await forget();
        // An account with another password or address since has nothing more to do with its registration.
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
     * Gives an account another password and ends all its sessions; answers the account as it is then. `user`: as it was when the old
     * password was checked, or the link. Throws 400 at `field` for a common password, `Rejected` `link-invalid` when password or
     * address have changed since: of several at once one is decided.
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
        // Only what is certain, as above. What is left is swept.
        if (error instanceof Rejected) await db.credential.deleteMany({ where: { id: credentialId } });
        throw error;
      }
      await db.credential.deleteMany({ where: { id: replaces } });
      return db.user.findUniqueOrThrow({ where: { id } });
    },

    /** Throws the same 401, after the same time, for an unknown email and for a wrong password. */
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
