import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { HttpProblem } from '@beltway/kit/problems';

/** So many attempts are free, then each wrong one doubles the wait, from one second up to the longest. */
export interface Rule {
  free: number;
  longestSeconds: number;
}

/** From one address to one account: a guesser. Four hours of it are some 20 guesses. */
const PAIR: Rule = { free: 5, longestSeconds: 15 * 60 };
/** To one account from everywhere: many guessers. Short, because the owner waits too: about 60 guesses an hour in all. */
const ACCOUNT: Rule = { free: 20, longestSeconds: 60 };
/** An account nobody tried for this long starts afresh. */
const FORGET_SECONDS = 60 * 60;

export interface Attempt {
  /** The password was right: what was counted is forgotten. */
  succeeded(): Promise<void>;
  /** The password was not looked at (we were busy): this attempt does not count. */
  withdrawn(): Promise<void>;
}

/**
 * Growing waits after wrong passwords, kept in the database: exact over all instances and restarts. An attempt is counted as
 * wrong before the password is looked at, in one statement, so a thousand guesses at once are a thousand attempts. Accounts
 * that do not exist are counted like those that do.
 */
export function loginWaits(pool: Pool, clock: () => Date) {
  return {
    /** Throws 429 with `Retry-After` while this account, or this address for it, has to wait. */
    async attempt(email: string, address: string): Promise<Attempt> {
      const keys: Array<[Buffer, Rule]> = [
        [keyOf('pair', email, address), PAIR],
        [keyOf('account', email), ACCOUNT],
      ];
      const counted: Buffer[] = [];
      const withdrawn = async () => void (await pool.query(UNCOUNT, [counted, clock()]));
      for (const [key, rule] of keys) {
        const wait = await count(key, rule);
        if (wait === 0) counted.push(key);
        else {
          await withdrawn();
          throw new HttpProblem(429, 'too-many-attempts', `Too many attempts. Please try again in ${inWords(wait)}.`, {
            retryAfter: wait,
          });
        }
      }
      return {
        succeeded: async () => void (await pool.query('delete from login_attempts where key = any($1)', [counted])),
        withdrawn,
      };
    },
  };

  /** Seconds still to wait; 0 when the attempt was counted and may go on. */
  async function count(key: Buffer, { free, longestSeconds }: Rule): Promise<number> {
    const now = clock();
    const { rowCount } = await pool.query(COUNT, [key, now, FORGET_SECONDS, free, longestSeconds]);
    if (rowCount === 1) return 0;
    const { rows } = await pool.query<{ blocked_until: Date }>(
      'select blocked_until from login_attempts where key = $1',
      [key],
    );
    return Math.max(1, Math.ceil(((rows[0]?.blocked_until.getTime() ?? 0) - now.getTime()) / 1_000));
  }
}

export type LoginWaits = ReturnType<typeof loginWaits>;

const COUNT = `
  insert into login_attempts as a (key, failures, blocked_until, tried_at) values ($1, 1, $2, $2)
  on conflict (key) do update set
    failures = case when a.tried_at < $2::timestamptz - make_interval(secs => $3) then 1 else a.failures + 1 end,
    blocked_until = case when a.tried_at < $2::timestamptz - make_interval(secs => $3) or a.failures + 1 < $4 then $2::timestamptz
      else $2::timestamptz + make_interval(secs => least($5, power(2, least(a.failures + 1 - $4, 20)))) end,
    tried_at = $2
  where a.blocked_until <= $2`;

const UNCOUNT =
  'update login_attempts set failures = greatest(failures - 1, 0), blocked_until = $2 where key = any($1)';

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\0')).digest();

const inWords = (seconds: number): string => {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
};
