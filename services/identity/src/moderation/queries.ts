import type { Pool } from 'pg';
import { z } from 'zod';
import {
  ACTIONS_OF,
  type CaseAction,
  type ContentReports,
  type ModerationCase,
  type ModerationPage,
  type ModerationQuery,
  type OwnCase,
  type OwnCases,
} from '@beltway/contracts/identity/moderation';
import type { RowOf } from '@beltway/kit/columns';
import { cursorOf, fromMicros, Micros, PlainText, readCursor, toMicros } from '@beltway/kit/cursor';
import { moderationCases } from './columns.ts';
import { appealEnd } from './decider.ts';

/** Of one case, the latest: what an admin looks at. */
const MAX_SHOWN = 20;

type Stamped<T extends { at: string }> = Omit<T, 'at'> & { at: Date | string };
type DecisionRow = Omit<ModerationCase['decisions'][number], 'at' | 'until' | 'appeal'> & {
  at: string;
  until: string | null;
  appeal: string | null;
  appealedAt: string | null;
  outcome: 'upheld' | 'reversed' | null;
};
type Row = Omit<RowOf<typeof moderationCases>, 'decisions'> & {
  kind: ModerationCase['kind'];
  state: ModerationCase['state'];
  standing: ModerationCase['standing'];
  seen: number;
  excerpt: string | null;
  path: string | null;
  authorName: string | null;
  isSuspended: boolean;
  reports: Stamped<ModerationCase['reports'][number]>[];
  decisions: DecisionRow[];
  /** Of `changedAt`, for the cursor. */
  exact: string;
};

const COLUMNS = moderationCases.select(
  ['caseId', 'kind', 'contentId', 'authorId', 'state', 'standing', 'openReports', 'changedAt'],
  'c',
);
const SELECT = `select ${COLUMNS}, c.decisions as seen, ${toMicros('c.changed_at')} as exact, t.excerpt, t.path, u.name as "authorName",
    coalesce(u.suspended_at is not null and (u.suspended_until is null or u.suspended_until > now()), false) as "isSuspended",
    (select coalesce(json_agg(r), '[]') from (
      select reason, note, at from moderation_reports r where r.case_id = c.case_id
      order by at desc, reporter_id limit ${MAX_SHOWN}) r) as reports,
    (select coalesce(json_agg(d), '[]') from (
      select number, action, reason, w.note, d.at, d.until, d.appealed_at as "appealedAt", d.outcome, w.appeal, a.name as admin
      from moderation_decisions d left join moderation_words w using (case_id, number) left join users a on a.id = d.admin_id
      where d.case_id = c.case_id order by number desc limit ${MAX_SHOWN}) d) as decisions
  from moderation_cases c left join moderation_texts t using (case_id) left join users u on u.id = c.author_id`;

const iso = (at: Date | string): string => new Date(at).toISOString();

const decisionOf = ({ appeal, appealedAt, outcome, admin: _admin, at, until, ...rest }: DecisionRow) => ({
  ...rest,
  at: iso(at),
  until: until && iso(until),
  // The words of an account that was erased are gone.
  appeal: appealedAt === null ? null : { text: appeal ?? '', at: iso(appealedAt), outcome },
});

/** What can be done with it as it is now. */
function actionsOf({ kind, standing, authorId, isSuspended, state }: Row): CaseAction[] {
  if (state === 'appealed') return [];
  return ACTIONS_OF[kind].filter((action) => {
    switch (action) {
      case 'keep':
        return state === 'open';
      case 'hide':
        return standing === 'shown';
      case 'restore':
        return standing === 'hidden';
      case 'remove':
        return standing !== 'removed';
      case 'warn':
        return authorId !== null;
      case 'suspend':
        return authorId !== null && !isSuspended;
      case 'reinstate':
        return isSuspended;
    }
  });
}

const shared = (row: Row) => ({
  ...{ id: row.caseId, kind: row.kind, contentId: row.contentId, standing: row.standing },
  ...{ excerpt: row.excerpt ?? '', path: row.path ?? '/', changedAt: iso(row.changedAt) },
});

const asCase = (row: Row): ModerationCase => ({
  ...shared(row),
  state: row.state,
  author: row.authorId === null ? null : { id: row.authorId, name: row.authorName, isSuspended: row.isSuspended },
  openReports: row.openReports,
  reports: row.reports.map((report) => ({ ...report, at: iso(report.at) })),
  decisions: row.decisions.map((decision) => ({ ...decisionOf(decision), admin: decision.admin })),
  seen: row.seen,
  actions: actionsOf(row),
});

export async function caseById(pool: Pool, caseId: string): Promise<ModerationCase | undefined> {
  const { rows } = await pool.query<Row>(`${SELECT} where c.case_id = $1`, [caseId]);
  return rows[0] && asCase(rows[0]);
}

/** The latest reports of each of these cases. */
export async function reportsOf(pool: Pool, caseIds: readonly string[]): Promise<ContentReports['items']> {
  const { rows } = await pool.query<{
    id: string;
    reports: Stamped<ContentReports['items'][number]['reports'][number]>[];
  }>(
    `select substr(case_id, strpos(case_id, '.') + 1) as id, (select coalesce(json_agg(r), '[]') from (
        select reason, note, version, at from moderation_reports r where r.case_id = c.case_id
        order by at desc, reporter_id limit ${MAX_SHOWN}) r) as reports
      from unnest($1::text[]) c (case_id)`,
    [caseIds],
  );
  return rows.map(({ id, reports }) => ({ id, reports: reports.map((report) => ({ ...report, at: iso(report.at) })) }));
}

const Place = z.tuple([Micros, PlainText]);
const ORDER = 'order by c.changed_at desc, c.case_id desc';
const AFTER = `($1::bigint is null or (c.changed_at, c.case_id) < (${fromMicros('$1')}, $2))`;

function page<Item>(rows: Row[], limit: number, of: (row: Row) => Item): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(of),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.caseId]) : null,
  };
}

/** A page of the queue: what changed last comes first. 400 `bad-cursor`. */
export async function moderationPage(
  pool: Pool,
  { state, kind, cursor, limit }: ModerationQuery,
): Promise<ModerationPage> {
  const after = cursor === undefined ? [null, null] : readCursor(cursor, Place);
  const { rows } = await pool.query<Row>(
    `${SELECT} where c.state = $3 and ($4::text is null or c.kind = $4) and ${AFTER} ${ORDER} limit $5`,
    [...after, state, kind ?? null, limit + 1],
  );
  return page(rows, limit, asCase);
}

function asOwn(row: Row, now: Date): OwnCase {
  const decisions = row.decisions.map(decisionOf);
  return { ...shared(row), decisions, appealUntil: appealUntilOf(decisions, now) };
}

/** Until when the last decision can be appealed. What undid one leaves nothing to appeal. */
function appealUntilOf(decisions: OwnCase['decisions'], now: Date): string | null {
  const last = decisions.find(({ action }) => action !== 'keep');
  if (!last || last.appeal || last.action === 'restore' || last.action === 'reinstate') return null;
  const end = appealEnd(last.at);
  return end > now.getTime() ? new Date(end).toISOString() : null;
}

/** What was decided of one's own. 400 `bad-cursor`. */
export async function ownCases(
  pool: Pool,
  authorId: number,
  { cursor, limit, now }: { cursor?: string | undefined; limit: number; now: Date },
): Promise<OwnCases> {
  const after = cursor === undefined ? [null, null] : readCursor(cursor, Place);
  const { rows } = await pool.query<Row>(
    `${SELECT} where c.author_id = $3 and c.decisions > 0 and ${AFTER} ${ORDER} limit $4`,
    [...after, authorId, limit + 1],
  );
  return page(rows, limit, (row) => asOwn(row, now));
}

/** What is kept of a person by moderation: what they reported, and what was decided of theirs. */
export async function moderationPart(pool: Pool, userId: number, max: number): Promise<Record<string, unknown>> {
  const list = async (sql: string) => (await pool.query(sql, [userId, max])).rows as object[];
  const [reports, decisions] = await Promise.all([
    list(
      `select case_id as "of", reason, note, at from moderation_reports where reporter_id = $1 order by at desc limit $2`,
    ),
    list(`select case_id as "of", d.action, d.reason, d.at, d.until, d.outcome, w.note, w.appeal
      from moderation_decisions d join moderation_cases c using (case_id) left join moderation_words w using (case_id, number)
      where c.author_id = $1 order by d.at desc limit $2`),
  ]);
  return { reports, decisions, isComplete: reports.length < max && decisions.length < max };
}
