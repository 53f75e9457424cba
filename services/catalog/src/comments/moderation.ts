import type { Pool, PoolClient } from 'pg';
import type { z } from 'zod';
import type {
  ModeratedComment,
  ModerationAction,
  ModeratedComments,
  ReportedQuery,
} from '@beltway/contracts/catalog/comments';
import { Rejected } from '@beltway/event-store';
import { forbidden } from '@beltway/kit/problems';
import { noteAccount } from '../accounts/accounts.ts';
import { changing, count, presentComment, type CommentRow, type Writing } from './comments.ts';

/** Of one comment, the latest: what a moderator looks at. */
const MAX_SHOWN = 20;

export interface Moderator {
  id: number;
  /** Undefined: an admin of whom only the number was heard. */
  name?: string;
  isAdmin: boolean;
}

export interface Moderation {
  eventId: number;
  commentId: number;
  moderator: Moderator;
  action: ModerationAction;
}

/** Hides, restores or keeps a comment, and says whether that changed anything. */
async function act(
  tx: PoolClient,
  comment: CommentRow,
  { moderator, action }: Moderation,
  now: Date,
): Promise<boolean> {
  const { id } = comment;
  const settle = async () => {
    await tx.query('update comment_reports set settled_at = $2 where comment_id = $1 and settled_at is null', [
      id,
      now,
    ]);
    await tx.query('update comments set open_reports = 0 where id = $1', [id]);
  };
  switch (action) {
    case 'hide': {
      // What an organiser hid, an admin can take out of the organiser's hands.
      const isRaised = moderator.isAdmin && comment.hiddenAt !== null && !comment.hiddenByAdmin;
      if (comment.hiddenAt && !isRaised) return false;
      await tx.query('update comments set hidden_at = coalesce(hidden_at, $2), hidden_by_admin = $3 where id = $1', [
        id,
        now,
        moderator.isAdmin,
      ]);
      if (!comment.hiddenAt) await count(tx, comment, -1);
      await settle();
      return true;
    }
    case 'restore':
      if (!comment.hiddenAt) return false;
      if (comment.hiddenByAdmin && !moderator.isAdmin)
        throw forbidden('An admin hid this comment. Only an admin can restore it.');
      await tx.query('update comments set hidden_at = null, hidden_by_admin = false where id = $1', [id]);
      await count(tx, comment, 1);
      return true;
    case 'keep':
      if (comment.hiddenAt)
        throw new Rejected('hidden-meanwhile', 'Another moderator hid this comment. You can restore it.');
      if (comment.openReports === 0) return false;
      await settle();
      return true;
  }
}

/** Moderates a comment and writes down who did it and when; what changes nothing leaves no line. Throws 403, 404, 409 by code. */
export const moderateComment = (writing: Writing, moderation: Moderation, now: Date): Promise<void> =>
  changing(writing, moderation.eventId, async (tx) => {
    const { commentId, moderator, action } = moderation;
    const comment = await presentComment(tx, commentId);
    if (!(await act(tx, comment, moderation, now))) return;
    if (moderator.name !== undefined) await noteAccount(tx, { userId: moderator.id, name: moderator.name });
    await tx.query(
      `insert into comment_moderations (comment_id, event_id, action, moderator_id, is_admin, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [commentId, comment.eventId, action, moderator.id, moderator.isAdmin, now],
    );
  });

type Stamped<T extends { at: string }> = Omit<T, 'at'> & { at: Date | string };
interface Row extends Omit<ModeratedComment, 'state' | 'author' | 'createdAt' | 'editedAt' | 'reports' | 'log'> {
  authorId: number;
  authorName: string;
  createdAt: Date;
  editedAt: Date | null;
  hiddenAt: Date | null;
  reports: Stamped<ModeratedComment['reports'][number]>[];
  log: Stamped<ModeratedComment['log'][number]>[];
}

const iso = (at: Date | string): string => new Date(at).toISOString();

const SELECT = `select c.id, c.event_id as "eventId", l.title as "eventTitle", c.parent_id as "answerTo",
    c.hidden_by_admin as "isHiddenByAdmin", c.text, c.author_id as "authorId", a.name as "authorName",
    c.created_at as "createdAt", c.edited_at as "editedAt", c.hidden_at as "hiddenAt",
    (select coalesce(json_agg(r), '[]') from (
      select reason, note, nullif(r.text, c.text) as text, r.created_at as at, settled_at is not null as "isSettled"
      from comment_reports r where r.comment_id = c.id order by r.created_at desc, r.reporter_id limit ${MAX_SHOWN}) r) as reports,
    (select coalesce(json_agg(m), '[]') from (
      select action, is_admin as "isAdmin", m.created_at as at,
        case when $2 or not is_admin then json_build_object('id', moderator_id, 'name', coalesce(n.name, 'An admin')) end as moderator
      from comment_moderations m left join accounts n on n.user_id = moderator_id
      where m.comment_id = c.id order by m.id desc limit ${MAX_SHOWN}) m) as log
  from comments c join listings l on l.event_id = c.event_id join accounts a on a.user_id = c.author_id
  where c.deleted_at is null and ($2 or l.organiser_id = $1)`;

const STATUS = { open: 'c.open_reports > 0 and c.hidden_at is null', hidden: 'c.hidden_at is not null' };

const asModerated = ({ authorId, authorName, hiddenAt, ...row }: Row): ModeratedComment => ({
  ...row,
  state: hiddenAt ? 'hidden' : 'shown',
  author: { id: authorId, name: authorName },
  createdAt: iso(row.createdAt),
  editedAt: row.editedAt && iso(row.editedAt),
  reports: row.reports.map((report) => ({ ...report, at: iso(report.at) })),
  log: row.log.map((line) => ({ ...line, at: iso(line.at) })),
});

/** One comment as this moderator sees it, after something was done with it. */
export async function moderatedComment(
  pool: Pool,
  { id, isAdmin }: Pick<Moderator, 'id' | 'isAdmin'>,
  commentId: number,
): Promise<ModeratedComment | undefined> {
  const { rows } = await pool.query<Row>(`${SELECT} and c.id = $3`, [id, isAdmin, commentId]);
  return rows[0] && asModerated(rows[0]);
}

/** What is reported, or hidden, of all events for an admin, else of the caller's own; newest comment first. */
export async function listReported(
  pool: Pool,
  { id, isAdmin }: Pick<Moderator, 'id' | 'isAdmin'>,
  { status, cursor, limit }: z.infer<typeof ReportedQuery>,
): Promise<ModeratedComments> {
  const { rows } = await pool.query<Row>(
    `${SELECT} and ${STATUS[status]} and ($3::int is null or c.id < $3) order by c.id desc limit $4`,
    [id, isAdmin, cursor ?? null, limit + 1],
  );
  const items = rows.slice(0, limit).map(asModerated);
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}
