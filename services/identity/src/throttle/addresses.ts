import type { RequestHandler } from 'express';
import { callerOf } from '@beltway/kit/auth';
import { rateLimit } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';

/**
 * Limits per IP address. They are generous, because a whole office or campus may share one address. With Redis, all
 * instances share the counters.
 */
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
    // Each request may send a mail. One email address gets three mails an hour over all requests
    // (account/mail-queue.ts).
    reset: rateLimit({ name: 'reset', points: 20, perSeconds: 10 * 60 }, redis),
    // Changes of email address, password and sessions. Counted per account.
    account: rateLimit(
      { name: 'account', points: 60, perSeconds: 10 * 60, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    // Counts rejected reports too, such as reports of missing content.
    reports: rateLimit(
      { name: 'reports', points: 60, perSeconds: 10 * 60, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    connections: rateLimit(
      { name: 'connections', points: 60, perSeconds: 10 * 60, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    appeals: rateLimit({ name: 'appeals', points: 30, perSeconds: 10 * 60 }, redis),
    // The registration form sends one request per registration.
    referralCodes: rateLimit({ name: 'referral-codes', points: 60, perSeconds: 10 * 60 }, redis),
    register: rateLimit({ name: 'register', points: 60, perSeconds: 10 * 60 }, redis),
    login: rateLimit({ name: 'login', points: 200, perSeconds: 5 * 60 }, redis),
    // The sign-in page requests these options automatically. These requests must not use up the sign-ins of other users
    // of the same IP address.
    passkeyOptions: rateLimit({ name: 'passkey-options', points: 1_000, perSeconds: 5 * 60 }, redis),
    // A person sends one or two messages. Each message is mailed to the team.
    contact: rateLimit({ name: 'contact', points: 5, perSeconds: 10 * 60 }, redis),
    // Counted per account, whatever the IP address.
    export: rateLimit(
      { name: 'export', points: 5, perSeconds: 3_600, key: (req) => `account:${callerOf(req).id}` },
      redis,
    ),
    contactDay: rateLimit({ name: 'contact-day', points: 20, perSeconds: 24 * 3_600 }, redis),
  };
}

const unlimited: RequestHandler = (_req, _res, next) => next();

/** The sender of a request, for limits. An IPv6 /64 counts as one sender, because one household has a whole /64. */
export { senderOf as addressOf } from '@beltway/kit/rate-limit';
