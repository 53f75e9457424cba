import type { AuditAnswer, AuditBody } from '@beltway/contracts/identity/audit';
import { openStore } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { recordAction } from './audit/record.ts';
import { openAudits } from './audit/stream.ts';
import { toMessages } from './publish.ts';
import { sql } from 'kysely';
import { kysely } from './db.ts';

/** The audit log for command-line scripts. Works whether or not identity is running. */
export interface AuditByHand {
  /** Like `recordAction`, but `as` is the account's number or email address. */
  record(as: string, action: Omit<AuditBody, 'accountId'>): Promise<AuditAnswer>;
  close(): Promise<void>;
}

/** Opens the audit log in this identity database. */
export function openAudit(databaseUrl: string): AuditByHand {
  const pool = openPool(databaseUrl, { max: 2 });
  const store = openStore({ url: databaseUrl, toMessages, writers: 1 });
  const audits = openAudits(store);
  const deps = { pool, audit: audits, clock: () => new Date() };
  return {
    async record(as, action) {
      const account = await kysely(pool)
        .selectFrom('users')
        .select('id')
        .where(sql<boolean>`id::text = ${as} or email = lower(${as})`)
        .executeTakeFirst();
      // No account has the number 0, so an unknown account is refused.
      return recordAction(deps, { ...action, accountId: account?.id ?? 0 });
    },
    async close() {
      await audits.drain();
      await Promise.all([store.close(), pool.end()]);
    },
  };
}
