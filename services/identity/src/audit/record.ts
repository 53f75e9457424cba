import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { SETTLING, type AuditAnswer, type AuditBody, type SettlingKind } from '@beltway/contracts/identity/audit';
import { forbidden } from '@beltway/kit/problems';
import { settledAt } from './queries.ts';
import type { Audits } from './stream.ts';
import { kysely } from '../db.ts';

export interface RecordDeps {
  pool: Pool;
  audit: Audits;
  clock: () => Date;
}

/**
 * Records an admin's action before the action is carried out. Throws 403 for an account that is no longer an admin.
 * Throws `Rejected` `already-replayed` or `already-discarded` for a dead letter that the opposite action settled.
 */
export async function recordAction(
  { pool, audit, clock }: RecordDeps,
  { requestId, note = '', ...action }: AuditBody,
): Promise<AuditAnswer> {
  const account = await kysely(pool)
    .selectFrom('users')
    .select('role')
    .where('id', '=', action.accountId)
    .executeTakeFirst();
  if (account?.role !== 'admin') throw forbidden('role');
  const settling = (SETTLING as readonly string[]).includes(action.kind);
  const now = clock();
  const { events } = await audit.handle(
    settling ? action.subject : `${action.accountId}.${now.toISOString().slice(0, 10)}`,
    { type: 'RecordAction', note, ...action },
    {
      commandId: randomUUID(),
      userId: action.accountId,
      ...(requestId !== undefined && { correlationId: requestId }),
    },
  );
  const first = events.length > 0;
  const at = first ? now : await settledAt(pool, action.subject, action.kind as SettlingKind);
  return { at: (at ?? now).toISOString(), first };
}
