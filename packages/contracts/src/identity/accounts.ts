import { z } from 'zod';
import { envelope, Role } from '../common/basics.ts';

/** GET /api/auth/email: the address that counts, and the one that is to take its place once it is verified. */
export const EmailState = z.object({ email: z.string(), isVerified: z.boolean(), pending: z.string().nullable() });
export type EmailState = z.infer<typeof EmailState>;

/** One place where the account is signed in. */
export const AccountSession = z.object({
  id: z.uuid(),
  /** Browser and system, as it named them: 'Firefox on Windows'. */
  device: z.string(),
  startedAt: z.iso.datetime(),
  /** When its token was renewed last, within a quarter of an hour. */
  usedAt: z.iso.datetime(),
  /** The session that asks. */
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

/** GET /api/auth/sessions: the newest 100, those used last first. */
export const AccountSessions = z.object({ items: z.array(AccountSession) });
export type AccountSessions = z.infer<typeof AccountSessions>;

/** PATCH /api/users/:id/role, admins only. */
export const ChangeRoleBody = z.strictObject({ role: Role });
export type ChangeRoleBody = z.infer<typeof ChangeRoleBody>;

/** A user as they may see themselves. */
export const User = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: Role,
  subscriptionStatus: z.string(),
  subscriptionPlan: z.string(),
  /** Whether the address was shown to be theirs, by a link that was mailed there. */
  emailVerified: z.boolean().default(false),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** What login, register and refresh answer; the refresh token itself travels in an httpOnly cookie. */
export const Session = z.object({ token: z.string(), user: User });
export type Session = z.infer<typeof Session>;

/** What POST /api/auth/login answers after the right password of an account that asks for a code: no session yet. */
export const CodeNeeded = z.object({
  /** Good for one sign-in, within five minutes and five tries. */
  challenge: z.string(),
  expiresAt: z.iso.datetime(),
});
export type CodeNeeded = z.infer<typeof CodeNeeded>;

/** What POST /api/auth/login answers. */
export const LoginAnswer = z.union([Session, CodeNeeded]);
export type LoginAnswer = z.infer<typeof LoginAnswer>;

/** Claims of an access token: ES256, 15 minutes, `iss` beltway, `aud` beltway, `sub` the user's id. */
export const TokenClaims = z.object({
  sub: z.string().regex(/^\d+$/),
  sid: z.uuid(),
  role: Role,
  name: z.string(),
  email: z.string(),
  /** Rises when the user's rights change; older tokens are refused from then on. */
  gen: z.int(),
  /** Whether the account has shown that its address is its own. */
  email_verified: z.boolean(),
  iat: z.int(),
  exp: z.int(),
});
export type TokenClaims = z.infer<typeof TokenClaims>;

/** GET /internal/revocations: what was revoked within the life of an access token. */
export const Revocations = z.object({
  sessions: z.array(z.uuid()),
  /** Tokens of this user with a lower generation are refused. */
  users: z.array(z.object({ userId: z.int(), generation: z.int(), isSuspended: z.boolean().default(false) })),
});
export type Revocations = z.infer<typeof Revocations>;

/** Names stay with identity: what is on the bus cannot be erased. */
export const UserRegisteredV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-registered'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), role: Role }),
});
export type UserRegisteredV1 = z.infer<typeof UserRegisteredV1>;

/** The account is no more: whoever has something of the person erases it. Tokens of a lower generation are refused. */
export const UserErasedV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-erased'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type UserErasedV1 = z.infer<typeof UserErasedV1>;

/** Until `until`, or for good (null), nobody signs in to the account. Tokens of a lower generation are refused, and open connections end. */
export const UserSuspendedV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-suspended'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int(), until: z.iso.datetime().nullable() }),
});
export type UserSuspendedV1 = z.infer<typeof UserSuspendedV1>;

export const RoleChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.role-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), role: Role, generation: z.int() }),
});
export type RoleChangedV1 = z.infer<typeof RoleChangedV1>;

/** The password is another one: all sessions of before have ended. Tokens of a lower generation are refused. */
export const PasswordChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.password-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type PasswordChangedV1 = z.infer<typeof PasswordChangedV1>;

/** The account has another address. Tokens of a lower generation, which name the old one, are refused. */
export const EmailChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.email-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type EmailChangedV1 = z.infer<typeof EmailChangedV1>;

/** The account's present address was shown to be theirs. */
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
