import type { Pool } from 'pg';
import { z } from 'zod';
import type { AuditEntry, AuditPage, AuditQuery, SettlingKind } from '@beltway/contracts/identity/audit';
import type { RowOf } from '@beltway/kit/columns';
import { cursorOf, fromMicros, Micros, PlainText, readCursor, toMicros } from '@beltway/kit/cursor';
import { auditEntries } from './columns.ts';

type Row = RowOf<typeof auditEntries> & {
  kind: AuditEntry['kind'];
  name: string | null;
  /** In microseconds, for the cursor. */
  exact: string;
};

const Cursor = z.tuple([Micros, PlainText, z.int().min(0).max(2_147_483_647)]);

const COLUMNS = auditEntries.select(undefined, 'e');
const MAX_PEOPLE = 100;

/** A page of what admins did, newest first, with everybody who has an entry. 400 `bad-cursor`. */
export async function auditPage(
  pool: Pool,
  { account, kind, subject, cursor, limit }: z.infer<typeof AuditQuery>,
): Promise<AuditPage> {
  const after = cursor === undefined ? [null, null, null] : readCursor(cursor, Cursor);
  const [{ rows }, { rows: people }] = await Promise.all([
    pool.query<Row>(
      `select ${COLUMNS}, ${toMicros('e.at')} as exact, u.name from audit_entries e left join users u on u.id = e.account_id
       where ($1::int is null or account_id = $1) and ($2::text is null or kind = $2) and ($3::text is null or subject = $3)
         and ($4::bigint is null or (e.at, e.stream, e.version) < (${fromMicros('$4')}, $5, $6::int))
       order by e.at desc, e.stream desc, e.version desc limit $7`,
      [account ?? null, kind ?? null, subject ?? null, ...after, limit + 1],
    ),
    pool.query<{ id: number; name: string | null }>(
      `select a.account_id as id, u.name from (select distinct account_id from audit_entries) a left join users u on u.id = a.account_id
       order by u.name, a.account_id limit ${MAX_PEOPLE}`,
    ),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ at, accountId, name, kind, subject, note }) => ({
      at: at.toISOString(),
      ...{ accountId, name, kind, subject, note },
    })),
    people: people.map(({ id, name }) => ({ id, name: name ?? `Account ${id}` })),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.stream, last.version]) : null,
  };
}

/** When a subject was settled so; undefined: it was not. */
export async function settledAt(pool: Pool, subject: string, kind: SettlingKind): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date }>(
    'select at from audit_entries where subject = $1 and kind = $2 order by at limit 1',
    [subject, kind],
  );
  return rows[0]?.at;
}

/** What admins did to a subject, oldest first; `limit` at most. */
export async function auditOf(pool: Pool, subject: string, limit: number): Promise<AuditEntry[]> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS}, u.name from audit_entries e left join users u on u.id = e.account_id
     where subject = $1 order by e.at, e.stream, e.version limit $2`,
    [subject, limit],
  );
  return rows.map(({ at, accountId, name, kind, note }) => ({
    at: at.toISOString(),
    ...{ accountId, name, kind, subject, note },
  }));
}
