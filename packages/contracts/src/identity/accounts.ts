import { z } from 'zod';
import { envelope, Role } from '../common/basics.ts';

/** GET /api/auth/email: the current email address, and a new email address that is not verified yet. */
export const EmailState = z.object({ email: z.string(), isVerified: z.boolean(), pending: z.string().nullable() });
export type EmailState = z.infer<typeof EmailState>;

/** A device that is signed in to the account. */
export const AccountSession = z.object({
  id: z.uuid(),
  /** Browser and operating system, from the user agent: 'Firefox on Windows'. */
  device: z.string(),
  startedAt: z.iso.datetime(),
  /** When the session's token was last renewed: at most 15 minutes ago while the device is in use. */
  usedAt: z.iso.datetime(),
  /** The session of this request. */
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

/** GET /api/auth/sessions: the newest 100, last used first. */
export const AccountSessions = z.object({ items: z.array(AccountSession) });
export type AccountSessions = z.infer<typeof AccountSessions>;

/** PATCH /api/users/:id/role, for admins, and for accounts that change their own role. */
export const ChangeRoleBody = z.strictObject({ role: Role });
export type ChangeRoleBody = z.infer<typeof ChangeRoleBody>;

/** The caller's own account. */
export const User = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: Role,
  subscriptionStatus: z.string(),
  subscriptionPlan: z.string(),
  /** Whether the email address was verified by a mailed link. */
  emailVerified: z.boolean().default(false),
  /**
   * True for an admin who has not turned on TOTP codes at sign-in. Until then, the account has the role `user`. Absent
   * for all other accounts.
   */
  codesRequired: z.boolean().optional(),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** Response of login, register and refresh; the refresh token itself is in an httpOnly cookie. */
export const Session = z.object({ token: z.string(), user: User });
export type Session = z.infer<typeof Session>;

/**
 * Response of POST /api/auth/login to the correct password of an account with TOTP codes at sign-in. The response
 * contains no session.
 */
export const CodeNeeded = z.object({
  /** Valid for one sign-in, for five minutes and five attempts. */
  challenge: z.string(),
  expiresAt: z.iso.datetime(),
});
export type CodeNeeded = z.infer<typeof CodeNeeded>;

/** Response of POST /api/auth/login. */
export const LoginAnswer = z.union([Session, CodeNeeded]);
export type LoginAnswer = z.infer<typeof LoginAnswer>;

/** Claims of an access token: ES256, valid for 15 minutes, `iss` and `aud` are beltway, `sub` is the user's id. */
export const TokenClaims = z.object({
  sub: z.string().regex(/^\d+$/),
  sid: z.uuid(),
  role: Role,
  name: z.string(),
  email: z.string(),
  /** Increases when the user's rights change; older tokens are rejected from then on. */
  gen: z.int(),
  /** Whether the account has verified its email address. */
  email_verified: z.boolean(),
  iat: z.int(),
  exp: z.int(),
});
export type TokenClaims = z.infer<typeof TokenClaims>;

/** GET /internal/revocations: revocations within the lifetime of an access token. */
export const Revocations = z.object({
  sessions: z.array(z.uuid()),
  /** Tokens of this user with a lower generation are rejected. */
  users: z.array(z.object({ userId: z.int(), generation: z.int(), isSuspended: z.boolean().default(false) })),
});
export type Revocations = z.infer<typeof Revocations>;

/** Omits the name, because messages on the bus cannot be erased. */
export const UserRegisteredV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-registered'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), role: Role }),
});
export type UserRegisteredV1 = z.infer<typeof UserRegisteredV1>;

/**
 * The account was erased: every service must erase its data about this person. Tokens of a lower generation are
 * rejected.
 */
export const UserErasedV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-erased'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type UserErasedV1 = z.infer<typeof UserErasedV1>;

/**
 * No one can sign in to the account until `until` (null: permanently). Tokens of a lower generation are rejected, and
 * open connections end.
 */
export const UserSuspendedV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-suspended'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int(), until: z.iso.datetime().nullable() }),
});
export type UserSuspendedV1 = z.infer<typeof UserSuspendedV1>;

/**
 * An account was suspended or reinstated. Published in addition to `user-suspended`, for services that hide what a
 * suspended account offers. `version` is the version of the account's stream; consumers ignore an older message.
 */
export const SuspensionChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.suspension-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), isSuspended: z.boolean(), version: z.int().positive() }),
});
export type SuspensionChangedV1 = z.infer<typeof SuspensionChangedV1>;

export const RoleChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.role-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), role: Role, generation: z.int() }),
});
export type RoleChangedV1 = z.infer<typeof RoleChangedV1>;

/** The password changed, and all earlier sessions ended. Tokens of a lower generation are rejected. */
export const PasswordChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.password-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type PasswordChangedV1 = z.infer<typeof PasswordChangedV1>;

/** The account's email address changed. Tokens of a lower generation contain the old email address and are rejected. */
export const EmailChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.email-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type EmailChangedV1 = z.infer<typeof EmailChangedV1>;

/** The account's current email address was verified. */
export const EmailVerifiedV1 = z.object({
  ...envelope,
  type: z.literal('identity.email-verified'),
  version: z.literal(1),
  data: z.object({ userId: z.int() }),
});
export type EmailVerifiedV1 = z.infer<typeof EmailVerifiedV1>;

export const SessionRevokedV1 = z.object({
  ...envelope,
  type: z.literal('identity.session-revoked'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), sessionId: z.uuid() }),
});
export type SessionRevokedV1 = z.infer<typeof SessionRevokedV1>;
