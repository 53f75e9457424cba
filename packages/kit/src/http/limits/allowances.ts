import { uuidFrom } from '@beltway/event-store';
import { networksOf } from '../callers/network.ts';
import type { PlainText } from '@beltway/contracts/problems/texts';
import { HttpProblem } from '../problems.ts';
import type { Queryable } from '../../postgres/pool.ts';
import { keyedText, type Secrets } from '../../secrets.ts';

/** `max` at once, and as much again spread evenly over `perSeconds`. */
export interface Allowance {
  /** Names the counters; each has its own. */
  name: string;
  max: number;
  perSeconds: number;
}

/** What a request would take of one account's or network's allowance. */
export interface Share {
  allowance: Allowance;
  of: string;
  amount: number;
}

/**
 * What an account or a network may take over hours and days, such as bytes that are stored. Kept in the service's database (table `allowances`
 * of `packages/kit/migrations/allowances`): a restart keeps it and all instances share it. Limits of seconds and minutes are `quota`s.
 */
export interface Allowances {
  /** Takes all shares or none; answers 0, or the seconds until they can be taken. */
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

/** Of IPv6 the /64, the /56 and the /48, each with room for so many neighbors (`networksOf`). */
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

/** 429 with `Retry-After`, and in words when to come back. */
export const tooMuch = (text: PlainText, retryAfter: number): HttpProblem =>
  new HttpProblem<PlainText>(429, text, { retryAfter, ending: ` Please try again in ${inWords(retryAfter)}.` });
