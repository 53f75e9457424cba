import type { z } from 'zod';
import type { ModeratedComment, ModeratedComments, ReportedQuery } from '@beltway/contracts/realtime/comments';
import { olderReason } from '@beltway/contracts/identity/moderation';
import type { Pool } from 'pg';
import { openReports, reportsOf, type ModeratedDeps } from '@beltway/kit/service/moderated';
import type { Moderator } from './change.ts';

// Reported and hidden comments for who moderates them: the owners of their events, and admins.

/** The latest ones, per comment. */
const MAX_LOGGED = 20;

interface Row extends Omit<ModeratedComment, 'author' | 'createdAt' | 'editedAt' | 'reports' | 'log'> {
  authorId: number;
  authorName: string;
  createdAt: Date;
  editedAt: Date | null;
  log: Array<Omit<ModeratedComment['log'][number], 'at'> & { at: string }>;
  /** What it was when it was reported, by the version of its text. */
  texts: Record<string, string>;
}

const SELECT = `select c.id, c.event_id as "eventId", coalesce(e.title, '') as "eventTitle", c.parent_id as "answerTo",
    case when c.hidden_at is null then 'shown' else 'hidden' end as state, c.hidden_by_admin as "isHiddenByAdmin", c.text,
    c.author_id as "authorId", coalesce(w.name, '') as "authorName", c.created_at as "createdAt", c.edited_at as "editedAt",
    (select coalesce(json_object_agg(t.version, t.text), '{}') from reported_texts t
      where t.contribution_id = c.id and t.text <> c.text) as texts,
    (select coalesce(json_agg(m), '[]') from (
      select action, is_admin as "isAdmin", m.created_at as at,
        case when $2 or not is_admin then json_build_object('id', moderator_id, 'name', coalesce(n.name, 'An admin')) end as moderator
      from contribution_moderations m left join community_people n on n.user_id = moderator_id
      where m.contribution_id = c.id order by m.id desc limit ${MAX_LOGGED}) m) as log
  from contributions c left join noted_events e on e.event_id = c.event_id left join community_people w on w.user_id = c.author_id
  where c.kind = 'comment' and c.deleted_at is null and ($2 or e.owner_id = $1)`;

const STATUS = {
  open: `c.hidden_at is null and c.id in (select content_id::integer from (${openReports('comment')}) open)`,
  hidden: 'c.hidden_at is not null',
};

type Deps = { pool: Pool; moderated: ModeratedDeps };

async function withReports({ moderated }: Deps, rows: readonly Row[]): Promise<ModeratedComment[]> {
  const reports = await reportsOf(
    moderated,
    'comment',
    rows.map(({ id }) => id),
  );
  return rows.map(({ authorId, authorName, texts, ...row }) => ({
    ...row,
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

/** One comment as this moderator sees it, after something was done with it. */
export async function moderatedComment(
  deps: Deps,
  { id, isAdmin }: Moderator,
  commentId: number,
): Promise<ModeratedComment | undefined> {
  const { rows } = await deps.pool.query<Row>(`${SELECT} and c.id = $3`, [id, isAdmin, commentId]);
  return (await withReports(deps, rows))[0];
}

/** Comments that are reported, or hidden: for an admin of all events, else of the moderator's own; the newest comment first. */
export async function reportedComments(
  deps: Deps,
  { id, isAdmin }: Moderator,
  { status, cursor, limit }: z.infer<typeof ReportedQuery>,
): Promise<ModeratedComments> {
  const { rows } = await deps.pool.query<Row>(
    `${SELECT} and ${STATUS[status]} and ($3::integer is null or c.id < $3) order by c.id desc limit $4`,
    [id, isAdmin, cursor ?? null, limit + 1],
  );
  const items = await withReports(deps, rows.slice(0, limit));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}
