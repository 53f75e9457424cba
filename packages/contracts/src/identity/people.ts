import { z } from 'zod';
import { User } from './accounts.ts';
import { Said } from '../common/basics.ts';
import { LANGUAGES } from '../common/languages.ts';
import { Passkey } from './passkeys.ts';
import { TotpState } from './totp.ts';
import { fault } from '../problems/fault.ts';

/** DELETE /api/users/me: the caller must enter the password again. */
export const EraseAccountBody = z.strictObject({
  password: z.string().min(6, fault('invalid.password-short')).max(256),
});
export type EraseAccountBody = z.infer<typeof EraseAccountBody>;

/** GET /internal/people/:id/obstacles: reasons why an account cannot be erased yet. */
export const Obstacles = z.object({ obstacles: z.array(Said) });
export type Obstacles = z.infer<typeof Obstacles>;

/** GET /internal/people/:id: one service's data of a person, as named parts. Lists are bounded (`MAX_EXPORTED`). */
export const PersonPart = z.record(z.string(), z.unknown());
export type PersonPart = z.infer<typeof PersonPart>;

/** Maximum exported rows per list, newest first. */
export const MAX_EXPORTED = 10_000;

/** GET /api/users/me/export: all data of the person. */
export const PersonExport = z.object({
  exportedAt: z.iso.datetime(),
  account: User,
  /** The new email address, while it is not verified. */
  pendingEmail: z.string().nullable(),
  /** Language of the person's mails; null: the person never used a supported language. */
  language: z.enum(LANGUAGES).nullable(),
  codesAtSignIn: TotpState,
  /** The person's reports, and decisions on the person's content. */
  moderation: PersonPart,
  /** The person's counts, and whether others see them. */
  engagement: PersonPart,
  referrals: PersonPart,
  sessions: z.array(z.object({ startedAt: z.iso.datetime(), endsAt: z.iso.datetime(), device: z.string() })),
  passkeys: z.array(Passkey),
  /** Events, likes and other marks, followed organizers, saved searches. */
  catalog: PersonPart,
  /** Orders with their tickets, and mails. */
  ticketing: PersonPart,
  /** Payments, ads, payouts. */
  payments: PersonPart,
  /** Pictures. */
  media: PersonPart,
  /** Notifications, contributions, chat messages. */
  realtime: PersonPart,
});
export type PersonExport = z.infer<typeof PersonExport>;

/** An erased account and the time of its erasure. */
export const Erasure = z.object({ userId: z.int(), erasedAt: z.iso.datetime() });
export type Erasure = z.infer<typeof Erasure>;

/**
 * GET /internal/erasures?after=<userId>: a page of erasures, ordered by account id. POST: the erasures that another
 * service knows.
 */
export const Erasures = z.object({ items: z.array(Erasure).max(200) });
export type Erasures = z.infer<typeof Erasures>;
export const MAX_ERASURES = 200;

/** POST /internal/known-accounts: the highest account id that another service knows; 0 if it knows none. */
export const KnownAccounts = z.object({ highest: z.int().min(0).max(2_000_000_000) });
export type KnownAccounts = z.infer<typeof KnownAccounts>;
