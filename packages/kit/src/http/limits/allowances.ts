import { uuidFrom } from '@beltway/event-store';
import { networksOf } from '../callers/network.ts';
import type { PlainText } from '@beltway/contracts/problems/texts';
import { HttpProblem } from '../problems.ts';
import type { Queryable } from '../../postgres/pool.ts';
import { keyedText, type Secrets } from '../../secrets.ts';

/** A token bucket: `max` is available immediately and refills evenly over `perSeconds`. */
export interface Allowance {
  /** Name of the allowance's counters. */
  name: string;
  max: number;
  perSeconds: number;
}

/** The amount that a request uses of the allowance of one account or network. */
export interface Share {
  allowance: Allowance;
  of: string;
  amount: number;
}

/**
 * Limits for an account or network over hours and days, such as stored bytes. They are stored in the service's database
 * (table `allowances` of `packages/kit/migrations/allowances`), so they survive restarts and all instances share them.
 * For limits of seconds and minutes, use `quota`.
 */
export interface Allowances {
  /** Takes all shares or none. Returns 0, or the seconds until all are available. */
  take(shares: readonly Share[]): Promise<number>;
}

export const DAY_S = 24 * 3_600;

/** For embedded mode with BELTWAY_RATE_LIMITS=off. */
export const unlimited: Allowances = { take: () => Promise.resolve(0) };

export const openAllowances = (db: Queryable, secret: Secrets): Allowances => ({
  async take(shares) {
    const keys = shares.map(({ allowance: { name }, of }) =>
      uuidFrom(keyedText(secret, 'allowance', `${name}\0${of}`)),
    );
    const sizes = shares.map(({ allowance: { perSeconds } }) => perSeconds);
    const costs = shares.map(({ allowance: { max, perSeconds }, amount }) => (amount * perSeconds) / max);
    const { rows } = await db.query<{ wait: number }>({
      name: 'take-allowances',
      text: 'select take_allowances($1::uuid[], $2::float8[], $3::float8[]) as wait',
      values: [keys, costs, sizes],
    });
    return Math.ceil(rows[0]!.wait);
  },
});

export const ofAccount = (allowance: Allowance, accountId: number, amount: number): Share => ({
  allowance,
  of: `account:${accountId}`,
  amount,
});

/**
 * Shares for an IP address. For IPv6 these are its /64, /56 and /48; the larger networks have higher limits
 * (`networksOf`).
 */
export const ofNetworks = (allowance: Allowance, address: string, amount: number): Share[] =>
  networksOf(address).map(({ name, allowances }) => ({
    allowance: { ...allowance, name: `${allowance.name}:${allowances}`, max: allowance.max * allowances },
    of: name,
    amount,
  }));

/** '40 seconds', '5 minutes', '3 hours' */
export function inWords(seconds: number): string {
  if (seconds >= 2 * 3_600) return `${Math.ceil(seconds / 3_600)} hours`;
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

/** A 429 problem with `Retry-After`; its text contains the wait in words. */
export const tooMuch = (text: PlainText, retryAfter: number): HttpProblem =>
  new HttpProblem<PlainText>(429, text, { retryAfter, ending: ` Please try again in ${inWords(retryAfter)}.` });
