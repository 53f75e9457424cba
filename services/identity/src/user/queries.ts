import type { User } from '@beltway/contracts/identity/accounts';
import type { Role } from '@beltway/contracts/common/basics';
import type { Db } from '../db.ts';
import type { User as UserRow } from '../generated/prisma/client.ts';

export type { UserRow };

export const userById = (db: Db, id: number): Promise<UserRow | null> => db.user.findUnique({ where: { id } });

/** The row as its owner and admins may see it: named field by field, so that nothing else ever slips out. */
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
