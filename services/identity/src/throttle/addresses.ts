import type { RequestHandler } from 'express';
import { callerOf } from '@beltway/kit/auth';
import { rateLimit } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';

/** Limits per address; generous, for a whole office or campus may share one. With Redis, all instances count together. */
export function addressLimits(
  on: boolean,
  redis?: Redis,
): Record<
  | 'register'
  | 'login'
  | 'passkeyOptions'
  | 'contact'
  | 'contactDay'
  | 'export'
  | 'reset'
  | 'account'
  | 'reports'
  | 'appeals'
  | 'referralCodes'
  | 'connections',
  RequestHandler
> {
  if (!on)
    return {
      ...{ register: unlimited, login: unlimited, contact: unlimited, contactDay: unlimited, export: unlimited },
      ...{ reset: unlimited, account: unlimited, reports: unlimited, appeals: unlimited, referralCodes: unlimited },
      ...{ passkeyOptions: unlimited, connections: unlimited },
    };
  return {
    // Each of them may be mailed to somebody; an address has three an hour, whoever asks (account/mail-queue.ts).
    reset: rateLimit({ name: 'reset', points: 20, perSeconds: 10 * 60 }, redis),
    // What an account does with its address, password and sessions.
    account: rateLimit(
      { name: 'account', points: 60, perSeconds: 10 * 60, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    // Also of what is refused, such as what is not there.
    reports: rateLimit(
      { name: 'reports', points: 60, perSeconds: 10 * 60, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    connections: rateLimit(
      { name: 'connections', points: 60, perSeconds: 10 * 60, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    appeals: rateLimit({ name: 'appeals', points: 30, perSeconds: 10 * 60 }, redis),
    // The form asks once for each registration.
    referralCodes: rateLimit({ name: 'referral-codes', points: 60, perSeconds: 10 * 60 }, redis),
    register: rateLimit({ name: 'register', points: 60, perSeconds: 10 * 60 }, redis),
    login: rateLimit({ name: 'login', points: 200, perSeconds: 5 * 60 }, redis),
    // The page of sign-in asks by itself: that takes nothing from those who sign in behind one address.
    passkeyOptions: rateLimit({ name: 'passkey-options', points: 1_000, perSeconds: 5 * 60 }, redis),
    // A person writes one or two; each of them is mailed to people.
    contact: rateLimit({ name: 'contact', points: 5, perSeconds: 10 * 60 }, redis),
    // Of an account, from wherever it asks.
    export: rateLimit(
      { name: 'export', points: 5, perSeconds: 3_600, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    contactDay: rateLimit({ name: 'contact-day', points: 20, perSeconds: 24 * 3_600 }, redis),
  };
}

const unlimited: RequestHandler = (_req, _res, next) => next();

/** Who is asking, for limits: one household has a whole IPv6 /64, so that is what counts. */
export { senderOf as addressOf } from '@beltway/kit/rate-limit';
