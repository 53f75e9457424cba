import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { HttpProblem } from '@beltway/kit/problems';

/** So many wrong passwords are free, then each further one doubles the wait, from one second up to the longest. */
interface Rule {
  free: number;
  longestSeconds: number;
}

/** From one address to one account: a guesser. After some fifteen guesses it is four an hour. */
const PAIR: Rule = { free: 5, longestSeconds: 15 * 60 };
/** To one account from everywhere: many guessers. Short, because the owner waits too: at most some 80 guesses in an hour. */
const ACCOUNT: Rule = { free: 20, longestSeconds: 60 };
/** An account nobody tried for this long starts afresh. */
const FORGET_SECONDS = 60 * 60;
/** Attempts for one account that may stand in line here. */
const MAX_IN_LINE = 50;

/**
 * Growing waits after wrong passwords, kept in the database: instances share them and restarts keep them. Attempts for one account
 * stand in line, so each sees how the one before it ended: a hundred guesses at the same moment are a hundred attempts one after the
 * other (one at a time in each instance), while as many right passwords all get in. Accounts that do not exist are counted like
 * those that do.
 */
export function loginWaits(pool: Pool, clock: () => Date) {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>();

  async function inLine<T>(email: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(email) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= MAX_IN_LINE) throw tooMany(2);
    lines.set(email, line);
    line.length++;
    const turn = line.last.then(work);
    line.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      if (--line.length === 0) lines.delete(email);
    }
  }

  return {
    /**
     * Runs `check` (is the password right?) and counts what it answers; what it throws counts for nothing. Throws 429 with
     * `Retry-After` while this account, or this address for it, has to wait.
     */
    attempt: (email: string, address: string, check: () => Promise<boolean>): Promise<boolean> =>
      inLine(email, async () => {
        const keys = [keyOf('pair', email, address), keyOf('account', email)];
        const { rows } = await pool.query<{ blocked_until: Date }>({
          name: 'login-waits',
          text: 'select blocked_until from login_attempts where key = any($1)',
          values: [keys],
        });
        const wait = Math.max(
          0,
          ...rows.map((row) => Math.ceil((row.blocked_until.getTime() - clock().getTime()) / 1_000)),
        );
        if (wait > 0) throw tooMany(wait);
        const right = await check();
        if (!right)
          await pool.query(COUNT, [
            keys,
            [PAIR.free, ACCOUNT.free],
            [PAIR.longestSeconds, ACCOUNT.longestSeconds],
            clock(),
            FORGET_SECONDS,
          ]);
        else if (rows.length > 0) await pool.query('delete from login_attempts where key = any($1)', [keys]);
        return right;
      }),
  };
}

export type LoginWaits = ReturnType<typeof loginWaits>;

const COUNT = `
  insert into login_attempts as a (key, failures, blocked_until, tried_at)
  select key, 1, $4, $4 from unnest($1::bytea[]) key
  on conflict (key) do update set
    failures = case when a.tried_at < $4::timestamptz - make_interval(secs => $5) then 1 else a.failures + 1 end,
    tried_at = $4,
    blocked_until = (
      select case
        when a.tried_at < $4::timestamptz - make_interval(secs => $5) or a.failures + 1 < rule.free then $4::timestamptz
        else $4::timestamptz + make_interval(secs => least(rule.longest, power(2, least(a.failures + 1 - rule.free, 20))))
      end
      from unnest($1::bytea[], $2::int[], $3::int[]) rule (key, free, longest) where rule.key = a.key)`;

const tooMany = (seconds: number) =>
  new HttpProblem(429, 'too-many-attempts', `Too many attempts. Please try again in ${inWords(seconds)}.`, {
    retryAfter: seconds,
  });

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\0')).digest();

const inWords = (seconds: number): string => {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
};
