import type { User } from '@beltway/contracts/identity/accounts';
import type { Role } from '@beltway/contracts/common/basics';
import type { Db } from '../db.ts';
import type { User as UserRow } from '../generated/prisma/client.ts';

export type { UserRow };

export const userById = (db: Db, id: number): Promise<UserRow | null> => db.user.findUnique({ where: { id } });

/** The account with the role that the session may use (`acting-role.ts`). */
export const asActing = (row: UserRow, role: Role): User =>
  row.role === 'admin' && role !== 'admin' ? { ...asUser(row), role, codesRequired: true } : asUser(row);

/** The fields that the owner and admins may see. Each field is listed, so that no other column leaks. */
export const asUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role as Role,
  subscriptionStatus: row.subscriptionStatus,
  subscriptionPlan: row.subscriptionPlan,
  emailVerified: row.emailVerifiedAt !== null,
  createdAt: row.createdAt.toISOString(),
});
