import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { tooMuch } from '@beltway/kit/allowances';
import { siteOf } from '@beltway/kit/network';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** Who tries to sign in. */
export interface Attempt {
  email: string;
  /** An IPv4 address or an IPv6 prefix. */
  address: string;
  /** Set when this browser signed in to the account before (session/device-cookie.ts). */
  device?: string | undefined;
}

/** After these wrong passwords each further one doubles the wait, from one second up to the longest: some four guesses an hour. */
const FREE = 5;
const LONGEST_SECONDS = 15 * 60;
/** Who has not tried for this long starts afresh. */
const FORGET_SECONDS = 60 * 60;

/** So many attempts at once, and then one in so many seconds. */
interface Budget {
  burst: number;
  seconds: number;
}
/** At one account by all devices that are not known to it: at most 80 guesses in the first hour and 60 in each further one. */
const ACCOUNT: Budget = { burst: 20, seconds: 60 };
/** The same of codes at sign-in, of which there are a million: ten guesses, and then four an hour by all devices together. */
export const CODES: Budget = { burst: 10, seconds: 15 * 60 };
/** By one address at all accounts; generous, for a whole campus may share one. */
const ADDRESS: Budget = { burst: 100, seconds: 15 };
/** A kept attempt that nobody makes for so long is gone. */
const KEPT_SECONDS = 60 * 60;

/**
 * How wrong passwords make wait, kept in the database: instances share it and restarts keep it. Right passwords cost nothing, and
 * accounts that do not exist are counted like those that do.
 *
 * - Wrong passwords of one address (or one known device) at one account: growing waits.
 * - Devices that are not known to an account share its budget. Who finds it spent is given the next attempt that comes free, and told
 *   when; nobody else can take it. So an owner at a new device gets in at the second try, after a minute for each site that
 *   guesses, while all of them together guess no more than the budget. Known devices neither use it nor wait for it.
 */
export function loginWaits(pool: Pool, clock: () => Date, budget: Budget = ACCOUNT) {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>();

  /** One attempt at a time for each counter, so that each sees how the one before it ended. */
  async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { length: 0, last: Promise.resolve() };
    lines.set(key, line);
    line.length++;
    const turn = line.last.then(work);
    line.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      if (--line.length === 0) lines.delete(key);
    }
  }

  const keysOf = ({ email, address, device }: Attempt) => ({
    counter: device === undefined ? keyOf('pair', email, address) : keyOf('device', email, device),
    place: keyOf('place', email, siteOf(address)),
    account: keyOf('account', email),
    address: keyOf('address', address),
  });
  type Keys = ReturnType<typeof keysOf>;

  /** Throws 429 when this one has to wait. Answers whether an attempt is kept for it. */
  async function mayTry(attempt: Attempt, keys: Keys): Promise<{ counted: boolean; kept: boolean }> {
    const now = clock().getTime();
    // Text: it must cost next to nothing during an attack.
    const { rows } = await pool.query<Record<'blocked' | 'due' | 'account' | 'address', Date | null>>({
      name: 'login-waits',
      text: `select (select blocked_until from login_attempts where key = $1) as blocked,
        (select due from login_places where key = $2) as due,
        (select spent_until from login_budgets where key = $3) as account,
        (select spent_until from login_budgets where key = $4) as address`,
      values: [keys.counter, keys.place, keys.account, keys.address],
    });
    const { blocked, due, account, address } = rows[0]!;
    const counted = blocked !== null;
    if (blocked && blocked.getTime() > now) throw tooMany(blocked.getTime() - now);
    if (attempt.device !== undefined) return { counted, kept: false };
    const addressWaits = freeAt(ADDRESS, address) - now;
    if (addressWaits > 0) throw tooMany(addressWaits);
    if (due && due.getTime() > now) throw tooMany(due.getTime() - now);
    const kept = due !== null && due.getTime() > now - KEPT_SECONDS * 1_000;
    if (!kept && freeAt(budget, account) > now) throw tooMany((await takePlace(keys)).getTime() - now);
    return { counted, kept };
  }

  /** Keeps the next attempt that comes free; of several at once from one address, one. */
  const takePlace = (keys: Keys): Promise<Date> =>
    transaction(pool, async (tx) => {
      const now = clock();
      const { numInsertedOrUpdatedRows: taken } = await kysely(tx)
        .insertInto('loginPlaces')
        .values({ key: keys.place, due: now })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ due: now })
            .where('loginPlaces.due', '<=', new Date(now.getTime() - KEPT_SECONDS * 1_000)),
        )
        .executeTakeFirstOrThrow();
      const place = kysely(tx).selectFrom('loginPlaces').select('due').where('key', '=', keys.place);
      if (!taken) return (await place.executeTakeFirst())?.due ?? now;
      const spentUntil = await spend(tx, keys.account, now, budget);
      const due = new Date(spentUntil.getTime() - budget.burst * budget.seconds * 1_000);
      await kysely(tx).updateTable('loginPlaces').set({ due }).where('key', '=', keys.place).execute();
      return due;
    });

  return {
    /** Throws 429 with `Retry-After` while this one has to wait: asked before the queue, so that who must wait is not in it. */
    check: async (attempt: Attempt): Promise<void> => void (await mayTry(attempt, keysOf(attempt))),

    /** Runs `verify` (is the password right?) and counts what it answers; what it throws counts for nothing. 429 as `check`. */
    attempt: (attempt: Attempt, verify: () => Promise<boolean>): Promise<boolean> => {
      const keys = keysOf(attempt);
      return inLine(keys.counter.toString('latin1'), async () => {
        const { counted, kept } = await mayTry(attempt, keys);
        const right = await verify();
        if (kept) await kysely(pool).deleteFrom('loginPlaces').where('key', '=', keys.place).execute();
        if (right) {
          if (counted) await kysely(pool).deleteFrom('loginAttempts').where('key', '=', keys.counter).execute();
          return true;
        }
        const now = clock();
        await countFailure(pool, keys.counter, now);
        if (attempt.device !== undefined) return false;
        await spend(pool, keys.address, now, ADDRESS);
        // A kept attempt was paid for when it was kept.
        if (!kept) await spend(pool, keys.account, now, budget);
        return false;
      });
    },
  };
}

export type LoginWaits = ReturnType<typeof loginWaits>;

/** When the next attempt is free, in ms. `spentUntil`: when all that were made are given back. */
const freeAt = ({ burst, seconds }: Budget, spentUntil: Date | null): number =>
  spentUntil === null ? -Infinity : spentUntil.getTime() - (burst - 1) * seconds * 1_000;

/** Takes one attempt of a budget. Returns when all that were made are given back. */
async function spend(db: Queryable, key: Buffer, now: Date, { seconds }: Budget): Promise<Date> {
  const { rows } = await sql<{ spentUntil: Date }>`
    insert into login_budgets as b (key, spent_until) values (${key}, ${now}::timestamptz + make_interval(secs => ${seconds}))
    on conflict (key) do update set spent_until = greatest(b.spent_until, ${now}) + make_interval(secs => ${seconds})
    returning spent_until as "spentUntil"`.execute(kysely(db));
  return rows[0]!.spentUntil;
}

function countFailure(db: Queryable, key: Buffer, now: Date) {
  const isForgotten = sql`a.tried_at < ${now}::timestamptz - make_interval(secs => ${FORGET_SECONDS})`;
  return sql`
    insert into login_attempts as a (key, failures, blocked_until, tried_at) values (${key}, 1, ${now}, ${now})
    on conflict (key) do update set
      failures = case when ${isForgotten} then 1 else a.failures + 1 end,
      tried_at = excluded.tried_at,
      blocked_until = case
        when ${isForgotten} or a.failures + 1 < ${FREE} then ${now}::timestamptz
        else ${now}::timestamptz + make_interval(secs => least(${LONGEST_SECONDS}, power(2, least(a.failures + 1 - ${FREE}, 20))))
      end`.execute(kysely(db));
}

const tooMany = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return tooMuch('too-many-attempts', seconds);
};

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\0')).digest();
