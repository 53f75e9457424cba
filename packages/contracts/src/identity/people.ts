import { z } from 'zod';
import { User } from './accounts.ts';
import { Said } from '../common/basics.ts';
import { LANGUAGES } from '../common/languages.ts';
import { Passkey } from './passkeys.ts';
import { TotpState } from './totp.ts';
import { fault } from '../problems/fault.ts';

/** DELETE /api/users/me: the password is asked for again. */
export const EraseAccountBody = z.strictObject({
  password: z.string().min(6, fault('invalid.password-short')).max(256),
});
export type EraseAccountBody = z.infer<typeof EraseAccountBody>;

/** GET /internal/people/:id/obstacles: why an account cannot be erased now. */
export const Obstacles = z.object({ obstacles: z.array(Said) });
export type Obstacles = z.infer<typeof Obstacles>;

/** GET /internal/people/:id: what one service has of a person, by name. Lists are bounded (`MAX_EXPORTED`). */
export const PersonPart = z.record(z.string(), z.unknown());
export type PersonPart = z.infer<typeof PersonPart>;

/** As many rows of one list are exported, the newest first. */
export const MAX_EXPORTED = 10_000;

/** GET /api/users/me/export: all that Beltway has of the person. */
export const PersonExport = z.object({
  exportedAt: z.iso.datetime(),
  account: User,
  /** The address that is to take the place of the account's. */
  pendingEmail: z.string().nullable(),
  /** In which their mails are written; null: they never came in one of ours. */
  language: z.enum(LANGUAGES).nullable(),
  codesAtSignIn: TotpState,
  /** What they reported, and what was decided of theirs. */
  moderation: PersonPart,
  /** What is counted of theirs, and whether others see it. */
  engagement: PersonPart,
  referrals: PersonPart,
  sessions: z.array(z.object({ startedAt: z.iso.datetime(), endsAt: z.iso.datetime(), device: z.string() })),
  passkeys: z.array(Passkey),
  /** Events, likes and their kin, who they follow, saved searches. */
  catalog: PersonPart,
  /** Orders with their tickets, and mails. */
  ticketing: PersonPart,
  /** Payments, ads, payouts. */
  payments: PersonPart,
  /** Pictures. */
  media: PersonPart,
  /** Notifications, what they wrote for others to read, messages of chats. */
  realtime: PersonPart,
});
export type PersonExport = z.infer<typeof PersonExport>;

/** An account that was erased, and when. */
export const Erasure = z.object({ userId: z.int(), erasedAt: z.iso.datetime() });
export type Erasure = z.infer<typeof Erasure>;

/** GET /internal/erasures?after=<userId>: a page of them in the order of their numbers. POST: what another service knows of. */
export const Erasures = z.object({ items: z.array(Erasure).max(200) });
export type Erasures = z.infer<typeof Erasures>;
export const MAX_ERASURES = 200;

/** POST /internal/known-accounts: the highest number of an account that another service knows; 0 for none. */
export const KnownAccounts = z.object({ highest: z.int().min(0).max(2_000_000_000) });
export type KnownAccounts = z.infer<typeof KnownAccounts>;
