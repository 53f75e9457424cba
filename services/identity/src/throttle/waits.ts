import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { tooMuch } from '@beltway/kit/allowances';
import { siteOf } from '@beltway/kit/network';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** A sign-in attempt. */
export interface Attempt {
  email: string;
  /** An IPv4 address or an IPv6 prefix. */
  address: string;
  /** Set if this browser has signed in to the account before (session/device-cookie.ts). */
  device?: string | undefined;
}

/**
 * After this many wrong passwords, each further wrong password doubles the wait, from one second up to the longest
 * wait. That permits about four guesses an hour.
 */
const FREE = 5;
const LONGEST_SECONDS = 15 * 60;
/** Without a further attempt, failures are forgotten after this time. */
const FORGET_SECONDS = 60 * 60;

/** Permits `burst` attempts immediately, then one every `seconds`. */
interface Budget {
  burst: number;
  seconds: number;
}
/**
 * The budget of one account for all devices that are unknown to it: at most 80 guesses in the first hour and 60 in each
 * further hour.
 */
const ACCOUNT: Budget = { burst: 20, seconds: 60 };
/**
 * The same budget for sign-in codes, of which a million exist: ten guesses, then four an hour, for all devices
 * together.
 */
export const CODES: Budget = { burst: 10, seconds: 15 * 60 };
/** The budget of one IP address for all accounts. It is generous, because a whole campus may share an address. */
const ADDRESS: Budget = { burst: 100, seconds: 15 };
/** A reserved attempt expires after this time. */
const KEPT_SECONDS = 60 * 60;

/**
 * Delays after wrong passwords, stored in the database: instances share them, and they survive restarts. Right
 * passwords cost nothing. Attempts for unknown accounts are counted like attempts for existing accounts.
 *
 * - Wrong passwords for one account from one IP address (or one known device) cause growing waits.
 * - Devices unknown to an account share the account's budget. When the budget is spent, the next free attempt is
 *   reserved for the site of the request, and the response contains the attempt's time. No other site can use this
 *   attempt. So an owner on a new device can sign in at the second try, after waiting a minute for each site that
 *   guesses. All sites together stay within the budget. Known devices neither use the budget nor wait for it.
 */
export function loginWaits(pool: Pool, clock: () => Date, budget: Budget = ACCOUNT) {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>();

  /** Serializes the attempts of each counter, so that each attempt sees the result of the previous one. */
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

  /** Throws 429 while this attempt has to wait. Otherwise returns whether an attempt was reserved for it. */
  async function mayTry(attempt: Attempt, keys: Keys): Promise<{ counted: boolean; kept: boolean }> {
    const now = clock().getTime();
    // Plain SQL, because this query must be cheap during an attack.
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

  /** Reserves the next free attempt. Concurrent attempts from one site share the reservation. */
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
    /**
     * Throws 429 with `Retry-After` while this attempt has to wait. Call it before the password queue, so that a caller
     * who must wait takes no place in the queue.
     */
    check: async (attempt: Attempt): Promise<void> => void (await mayTry(attempt, keysOf(attempt))),

    /**
     * Runs `verify`, which checks the password, and counts the result. Errors do not count. Throws 429 like `check`.
     */
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
        // A reserved attempt was already charged to the budget.
        if (!kept) await spend(pool, keys.account, now, budget);
        return false;
      });
    },
  };
}

export type LoginWaits = ReturnType<typeof loginWaits>;

/**
 * When the next attempt is free, in milliseconds since 1970. `spentUntil`: when the whole budget is available again.
 */
const freeAt = ({ burst, seconds }: Budget, spentUntil: Date | null): number =>
  spentUntil === null ? -Infinity : spentUntil.getTime() - (burst - 1) * seconds * 1_000;

/** Charges one attempt to a budget. Returns when the whole budget is available again. */
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
