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
  type ReportReason,
} from '@beltway/contracts/identity/moderation';
import { cursorOf, Micros, PlainText, readCursor } from '@beltway/kit/cursor';
import { behind, newestFirst, toMicros } from '@beltway/kit/kysely';
import { sql, type InferResult } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { kysely, tables } from '../db.ts';
import { appealEnd } from './decider.ts';

/** Maximum number of a case's latest reports that an admin sees. */
const MAX_SHOWN = 20;
const ORDER = ['c.changedAt', 'c.caseId'];

/** The reports of case `c`, as JSON with the database's column names as keys. */
const reportsOfCase = tables
  .selectFrom('moderationReports as r')
  .select(['r.reason', 'r.note', 'r.version', 'r.at'])
  .where('r.caseId', '=', sql.ref<string>('c.caseId'))
  .orderBy('r.at', 'desc')
  .orderBy('r.reporterId')
  .limit(MAX_SHOWN)
  .$narrowType<{ reason: ReportReason }>();
const decisionsOfCase = tables
  .selectFrom('moderationDecisions as d')
  .leftJoin('moderationWords as w', (join) =>
    join.onRef('w.caseId', '=', 'd.caseId').onRef('w.number', '=', 'd.number'),
  )
  .leftJoin('users as a', 'a.id', 'd.adminId')
  .select(['d.number', 'd.action', 'd.reason', 'w.note', 'd.at', 'd.until', 'd.appealedAt as appealed', 'd.outcome'])
  .select(['w.appeal', 'a.name as admin'])
  .where('d.caseId', '=', sql.ref<string>('c.caseId'))
  .orderBy('d.number', 'desc')
  .limit(MAX_SHOWN)
  .$narrowType<{ action: CaseAction; reason: ReportReason; outcome: 'upheld' | 'reversed' | null }>();

const selectCases = (pool: Pool) =>
  kysely(pool)
    .selectFrom('moderationCases as c')
    .leftJoin('moderationTexts as t', 't.caseId', 'c.caseId')
    .leftJoin('users as u', 'u.id', 'c.authorId')
    .select([
      'c.caseId',
      'c.kind',
      'c.contentId',
      'c.authorId',
      'c.state',
      'c.standing',
      'c.openReports',
      'c.changedAt',
    ])
    .select(['c.decisions as seen', toMicros('c.changedAt').as('exact'), 't.excerpt', 't.path', 'u.name as authorName'])
    .select([
      sql<boolean>`coalesce(u.suspended_at is not null and (u.suspended_until is null or u.suspended_until > now()), false)`.as(
        'isSuspended',
      ),
      jsonArrayFrom(reportsOfCase).as('reports'),
      jsonArrayFrom(decisionsOfCase).as('decisions'),
    ])
    .orderBy(newestFirst(ORDER))
    .$narrowType<Pick<ModerationCase, 'kind' | 'state' | 'standing'>>();
type Row = InferResult<ReturnType<typeof selectCases>>[number];

const iso = (at: Date | string): string => new Date(at).toISOString();

const decisionOf = ({ appeal, appealed, outcome, admin: _admin, at, until, ...rest }: Row['decisions'][number]) => ({
  ...rest,
  at: iso(at),
  until: until && iso(until),
  // The appeal's text is missing if the account was erased.
  appeal: appealed === null ? null : { text: appeal ?? '', at: iso(appealed), outcome },
});

/** The actions that are possible on a case now. */
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
  reports: row.reports.map(({ reason, note, at }) => ({ reason, note, at: iso(at) })),
  decisions: row.decisions.map((decision) => ({ ...decisionOf(decision), admin: decision.admin })),
  seen: row.seen,
  actions: actionsOf(row),
});

export async function caseById(pool: Pool, caseId: string): Promise<ModerationCase | undefined> {
  const row = await selectCases(pool).where('c.caseId', '=', caseId).executeTakeFirst();
  return row && asCase(row);
}

/** The latest reports for each of these cases. */
export async function reportsOf(pool: Pool, caseIds: readonly string[]): Promise<ContentReports['items']> {
  const rows = await kysely(pool)
    .selectFrom(sql<{ caseId: string }>`unnest(${caseIds}::text[])`.as<'c'>(sql`c (case_id)`))
    .select(['c.caseId', jsonArrayFrom(reportsOfCase).as('reports')])
    .execute();
  return rows.map(({ caseId, reports }) => ({
    id: caseId.slice(caseId.indexOf('.') + 1),
    reports: reports.map((report) => ({ ...report, at: iso(report.at) })),
  }));
}

const Place = z.tuple([Micros, PlainText]);

function page<Item>(rows: Row[], limit: number, of: (row: Row) => Item): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(of),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.caseId]) : null,
  };
}

/** A page of the queue, sorted by latest change. 400 `bad-cursor`. */
export async function moderationPage(
  pool: Pool,
  { state, kind, cursor, limit }: ModerationQuery,
): Promise<ModerationPage> {
  const rows = await selectCases(pool)
    .where('c.state', '=', state)
    .$if(kind !== undefined, (query) => query.where('c.kind', '=', kind!))
    .$if(cursor !== undefined, (query) => query.where(behind(ORDER, readCursor(cursor!, Place))))
    .limit(limit + 1)
    .execute();
  return page(rows, limit, asCase);
}

function asOwn(row: Row, now: Date): OwnCase {
  const decisions = row.decisions.map(decisionOf);
  return { ...shared(row), decisions, appealUntil: appealUntilOf(decisions, now) };
}

/** The end of the appeal period of the last decision. null: a later decision undid it. */
function appealUntilOf(decisions: OwnCase['decisions'], now: Date): string | null {
  const last = decisions.find(({ action }) => action !== 'keep');
  if (!last || last.appeal || last.action === 'restore' || last.action === 'reinstate') return null;
  const end = appealEnd(last.at);
  return end > now.getTime() ? new Date(end).toISOString() : null;
}

/** Decisions about the caller's own content. 400 `bad-cursor`. */
export async function ownCases(
  pool: Pool,
  authorId: number,
  { cursor, limit, now }: { cursor?: string | undefined; limit: number; now: Date },
): Promise<OwnCases> {
  const rows = await selectCases(pool)
    .where('c.authorId', '=', authorId)
    .where('c.decisions', '>', 0)
    .$if(cursor !== undefined, (query) => query.where(behind(ORDER, readCursor(cursor!, Place))))
    .limit(limit + 1)
    .execute();
  return page(rows, limit, (row) => asOwn(row, now));
}

/** An account's moderation data: its reports, and the decisions about its content. */
export async function moderationPart(pool: Pool, userId: number, max: number): Promise<Record<string, unknown>> {
  const db = kysely(pool);
  const [reports, decisions] = await Promise.all([
    db
      .selectFrom('moderationReports')
      .select(['caseId as of', 'reason', 'note', 'at'])
      .where('reporterId', '=', userId)
      .orderBy('at', 'desc')
      .limit(max)
      .execute(),
    db
      .selectFrom('moderationDecisions as d')
      .innerJoin('moderationCases as c', 'c.caseId', 'd.caseId')
      .leftJoin('moderationWords as w', (join) =>
        join.onRef('w.caseId', '=', 'd.caseId').onRef('w.number', '=', 'd.number'),
      )
      .select(['d.caseId as of', 'd.action', 'd.reason', 'd.at', 'd.until', 'd.outcome', 'w.note', 'w.appeal'])
      .where('c.authorId', '=', userId)
      .orderBy('d.at', 'desc')
      .limit(max)
      .execute(),
  ]);
  return { reports, decisions, isComplete: reports.length < max && decisions.length < max };
}
