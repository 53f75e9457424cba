import type { Pool } from 'pg';
import { z } from 'zod';
import type { AuditEntry, AuditPage, AuditQuery, SettlingKind } from '@beltway/contracts/identity/audit';
import { cursorOf, Micros, PlainText, readCursor } from '@beltway/kit/cursor';
import { behind, newestFirst, toMicros } from '@beltway/kit/kysely';
import type { InferResult } from 'kysely';
import { kysely } from '../db.ts';

const ORDER = ['e.at', 'e.stream', 'e.version'];
const Cursor = z.tuple([Micros, PlainText, z.int().min(0).max(2_147_483_647)]);
const MAX_PEOPLE = 100;

const entries = (pool: Pool) =>
  kysely(pool)
    .selectFrom('auditEntries as e')
    .leftJoin('users as u', 'u.id', 'e.accountId')
    .selectAll('e')
    .select(['u.name', toMicros('e.at').as('exact')]);
type Row = InferResult<ReturnType<typeof entries>>[number];

const asEntry = ({ at, accountId, name, kind, subject, note }: Row): AuditEntry => ({
  at: at.toISOString(),
  ...{ accountId, name, kind: kind as AuditEntry['kind'], subject, note },
});

/** A page of admins' actions, newest first, and all admins who have entries. 400 `bad-cursor`. */
export async function auditPage(
  pool: Pool,
  { account, kind, subject, cursor, limit }: z.infer<typeof AuditQuery>,
): Promise<AuditPage> {
  const [rows, people] = await Promise.all([
    entries(pool)
      .$if(account !== undefined, (query) => query.where('accountId', '=', account!))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
      .$if(subject !== undefined, (query) => query.where('subject', '=', subject!))
      .$if(cursor !== undefined, (query) => query.where(behind(ORDER, readCursor(cursor!, Cursor))))
      .orderBy(newestFirst(ORDER))
      .limit(limit + 1)
      .execute(),
    kysely(pool)
      .selectFrom('auditEntries as e')
      .leftJoin('users as u', 'u.id', 'e.accountId')
      .select(['e.accountId as id', 'u.name'])
      .distinct()
      .orderBy('u.name')
      .orderBy('e.accountId')
      .limit(MAX_PEOPLE)
      .execute(),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asEntry),
    people: people.map(({ id, name }) => ({ id, name: name ?? `Account ${id}` })),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.stream, last.version]) : null,
  };
}

/** The time when this kind of action settled the subject. Undefined: it did not. */
export async function settledAt(pool: Pool, subject: string, kind: SettlingKind): Promise<Date | undefined> {
  const first = await kysely(pool)
    .selectFrom('auditEntries')
    .select('at')
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return first?.at;
}

/** The actions on a subject, oldest first. Returns at most `limit`. */
export async function auditOf(pool: Pool, subject: string, limit: number): Promise<AuditEntry[]> {
  const rows = await entries(pool)
    .where('subject', '=', subject)
    .orderBy('e.at')
    .orderBy('e.stream')
    .orderBy('e.version')
    .limit(limit)
    .execute();
  return rows.map(asEntry);
}
