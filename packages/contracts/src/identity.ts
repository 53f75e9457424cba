import { z } from 'zod';
import { Role, envelope } from './common.ts';
import { lineText } from './text.ts';

/** POST /api/auth/register (docs/product.md#accounts). Admin cannot be chosen. */
export const RegisterBody = z.object({
  /** One spelling per address: lower case, here and everywhere after. */
  email: z.email('Please enter a valid email address').max(254).toLowerCase(),
  password: z.string().min(6, 'Password must be at least 6 characters').max(256),
  name: lineText(100, 'Name is required'),
  role: z.enum(['user', 'business']).default('user'),
});
export type RegisterBody = z.infer<typeof RegisterBody>;

/** POST /api/auth/login */
export const LoginBody = z.object({
  email: z.email('Please enter a valid email address').max(254).toLowerCase(),
  password: z.string().min(6, 'Password must be at least 6 characters').max(256),
});
export type LoginBody = z.infer<typeof LoginBody>;

/** PATCH /api/users/:id/role, admins only. */
export const ChangeRoleBody = z.object({ role: Role });
export type ChangeRoleBody = z.infer<typeof ChangeRoleBody>;

/** A user as they may see themselves. */
export const User = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: Role,
  subscriptionStatus: z.string(),
  subscriptionPlan: z.string(),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** What login, register and refresh answer; the refresh token itself travels in an httpOnly cookie. */
export const Session = z.object({ token: z.string(), user: User });
export type Session = z.infer<typeof Session>;

/** Claims of an access token: RS256, 15 minutes, `iss` beltway, `aud` beltway, `sub` the user's id. */
export const TokenClaims = z.object({
  sub: z.string().regex(/^\d+$/),
  sid: z.uuid(),
  role: Role,
  name: z.string(),
  email: z.string(),
  /** Rises when the user's rights change; older tokens are refused from then on. */
  gen: z.int(),
  iat: z.int(),
  exp: z.int(),
});
export type TokenClaims = z.infer<typeof TokenClaims>;

/** GET /internal/revocations: what was revoked within the life of an access token. */
export const Revocations = z.object({
  sessions: z.array(z.uuid()),
  /** Tokens of this user with a lower generation are refused. */
  users: z.array(z.object({ userId: z.int(), generation: z.int() })),
});
export type Revocations = z.infer<typeof Revocations>;

export const UserRegisteredV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-registered'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), name: z.string(), role: Role }),
});
export type UserRegisteredV1 = z.infer<typeof UserRegisteredV1>;

/** Names stay with identity: what is on the bus cannot be erased. */
export const UserRegisteredV2 = z.object({
  ...envelope,
  type: z.literal('identity.user-registered'),
  version: z.literal(2),
  data: z.object({ userId: z.int(), role: Role }),
});
export type UserRegisteredV2 = z.infer<typeof UserRegisteredV2>;

/** The account is no more: whoever has something of the person erases it. Tokens of a lower generation are refused. */
export const UserErasedV1 = z.object({
  ...envelope,
  type: z.literal('identity.user-erased'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), generation: z.int() }),
});
export type UserErasedV1 = z.infer<typeof UserErasedV1>;

export const RoleChangedV1 = z.object({
  ...envelope,
  type: z.literal('identity.role-changed'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), role: Role, generation: z.int() }),
});
export type RoleChangedV1 = z.infer<typeof RoleChangedV1>;

export const SessionRevokedV1 = z.object({
  ...envelope,
  type: z.literal('identity.session-revoked'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), sessionId: z.uuid() }),
});
export type SessionRevokedV1 = z.infer<typeof SessionRevokedV1>;
