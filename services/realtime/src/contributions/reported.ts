import type { z } from 'zod';
import type { ModeratedComment, ModeratedComments, ReportedQuery } from '@beltway/contracts/realtime/comments';
import { olderReason } from '@beltway/contracts/identity/moderation';
import type { Pool } from 'pg';
import { openReports, reportsOf, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import type { Moderator } from './change.ts';

// Reported and hidden comments for their moderators: the owners of the events, and admins.

/** The maximum number of log entries for each comment. The latest entries are kept. */
const MAX_LOGGED = 20;

/** The comments that this moderator may moderate. */
function moderated(pool: Pool, { id, isAdmin }: Moderator) {
  // SQL text, because the query builder has no JSON functions.
  const log = sql<Array<Omit<ModeratedComment['log'][number], 'at'> & { at: string }>>`(
    select coalesce(json_agg(m), '[]') from (
      select action, is_admin as "isAdmin", m.created_at as at, case when ${isAdmin}::boolean or not is_admin then
        json_build_object('id', moderator_id, 'name', coalesce(n.name, 'An admin')) end as moderator
      from contribution_moderations m left join community_people n on n.user_id = moderator_id
      where m.contribution_id = c.id order by m.id desc limit ${sql.lit(MAX_LOGGED)}) m)`;
  return (
    kysely(pool)
      .selectFrom('contributions as c')
      .leftJoin('notedEvents as e', 'e.eventId', 'c.eventId')
      .leftJoin('communityPeople as w', 'w.userId', 'c.authorId')
      .select(['c.id', 'c.parentId as answerTo', 'c.hiddenByAdmin as isHiddenByAdmin', 'c.text', 'c.authorId'])
      .select(['c.eventId', 'c.createdAt', 'c.editedAt', 'c.hiddenAt', log.as('log')])
      .select(({ fn, val }) => [
        fn.coalesce('e.title', val('')).as('eventTitle'),
        fn.coalesce('w.name', val('')).as('authorName'),
      ])
      // The reported texts that differ from the current text, keyed by the version of the text.
      .select(
        sql<Record<string, string>>`(select coalesce(json_object_agg(t.version, t.text), '{}') from reported_texts t
        where t.contribution_id = c.id and t.text <> c.text)`.as('texts'),
      )
      // A literal and no parameter, so that the index of hidden comments is used.
      .where('c.kind', '=', sql.lit('comment'))
      .where('c.deletedAt', 'is', null)
      .$if(!isAdmin, (own) => own.where('e.ownerId', '=', id))
  );
}
type Row = Awaited<ReturnType<ReturnType<typeof moderated>['execute']>>[number];

const IS_REPORTED = sql<boolean>`c.id in (select content_id::integer from (${sql.raw(openReports('comment'))}) open)`;

type Deps = { pool: Pool; moderated: ModeratedDeps };

async function withReports({ moderated: reported }: Deps, rows: readonly Row[]): Promise<ModeratedComment[]> {
  const reports = await reportsOf(
    reported,
    'comment',
    rows.map(({ id }) => id),
  );
  return rows.map(({ authorId, authorName, texts, hiddenAt, eventId, text, ...row }) => ({
    ...row,
    eventId: eventId!,
    text: text!,
    state: hiddenAt ? 'hidden' : 'shown',
    author: { id: authorId, name: authorName },
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    reports: (reports.get(String(row.id)) ?? []).map(({ reason, note, at, version, isSettled }) => ({
      reason: olderReason(reason),
      note,
      text: texts[version] ?? null,
      at,
      isSettled,
    })),
    log: row.log.map((line) => ({ ...line, at: new Date(line.at).toISOString() })),
  }));
}

/** One comment as this moderator sees it, after an action. */
export async function moderatedComment(
  deps: Deps,
  moderator: Moderator,
  commentId: number,
): Promise<ModeratedComment | undefined> {
  const rows = await moderated(deps.pool, moderator).where('c.id', '=', commentId).execute();
  return (await withReports(deps, rows))[0];
}

/**
 * Reported or hidden comments, newest first. An admin gets all comments; another moderator gets the comments of the
 * moderator's own events.
 */
export async function reportedComments(
  deps: Deps,
  moderator: Moderator,
  { status, cursor, limit }: z.infer<typeof ReportedQuery>,
): Promise<ModeratedComments> {
  const rows = await moderated(deps.pool, moderator)
    .where('c.hiddenAt', status === 'hidden' ? 'is not' : 'is', null)
    .$if(status === 'open', (open) => open.where(IS_REPORTED))
    .$if(cursor !== undefined, (page) => page.where('c.id', '<', cursor!))
    .orderBy('c.id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = await withReports(deps, rows.slice(0, limit));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}
