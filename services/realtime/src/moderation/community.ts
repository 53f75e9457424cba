import type { Pool } from 'pg';
import { postPath, questionPath } from '@beltway/contracts/realtime/community';
import { excerptOf, type ContentModeratedV1, type ReportedContent } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/event-store';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { notFound } from '@beltway/kit/problems';
import { setHidden, type ContentKind } from '../community/hiding.ts';

export const COMMUNITY_KINDS = [
  'post',
  'post-comment',
  'question',
  'answer',
] as const satisfies ContentModeratedV1['data']['kind'][];

const WHAT: Record<ContentKind, string> = {
  post: 'This post',
  'post-comment': 'This comment',
  question: 'This question',
  answer: 'This answer',
};

/** What readers see of it. What is below something hidden is hidden with it. */
const SHOWN: Record<ContentKind, string> = {
  post: `select user_id as "authorId", content as words, id as "postId" from social_posts where id = $1 and hidden_at is null`,
  'post-comment': `select c.user_id as "authorId", c.text as words, c.post_id as "postId" from social_post_comments c
    join social_posts p on p.id = c.post_id where c.id = $1 and c.hidden_at is null and p.hidden_at is null`,
  question: `select user_id as "authorId", question as words, id as "questionId" from message_board where id = $1 and hidden_at is null`,
  answer: `select a.user_id as "authorId", a.answer as words, m.id as "questionId" from message_board_answers a
    join message_board m on m.id = a.question_id where a.id = $1 and a.hidden_at is null and m.hidden_at is null`,
};

/** Something of the community, as a case of moderation shows it. Throws 404; 409 for the reporter's own. */
export async function reportedOf(
  db: Queryable,
  kind: ContentKind,
  id: number,
  reporterId: number,
): Promise<ReportedContent> {
  const { rows } = await db.query<{ authorId: number; words: string; postId?: number; questionId?: number }>(
    SHOWN[kind],
    [id],
  );
  const [found] = rows;
  if (!found) throw notFound(WHAT[kind]);
  const { authorId, words, postId, questionId } = found;
  if (authorId === reporterId) throw new Rejected('own-content', 'This is yours. You can delete it.');
  return {
    authorId,
    excerpt: excerptOf(words),
    path: postId === undefined ? questionPath(questionId!) : postPath(postId),
  };
}

/** Gone for good, as by its author; done again it changes nothing. */
const REMOVE: Record<ContentKind, string> = {
  post: 'delete from social_posts where id = $1',
  'post-comment': `with gone as (delete from social_post_comments where id = $1 returning post_id, hidden_at)
    update social_posts p set comments = comments - 1 from gone where p.id = gone.post_id and gone.hidden_at is null`,
  question: 'delete from message_board where id = $1',
  answer: `with gone as (delete from message_board_answers where id = $1 returning id, question_id, hidden_at)
    update message_board m set answers = answers - case when gone.hidden_at is null then 1 else 0 end,
      accepted_answer_id = nullif(accepted_answer_id, gone.id) from gone where m.id = gone.question_id`,
};

/** Does with it what an admin decided; what is so already, or gone, is left alone. */
export async function applyToCommunity(
  pool: Pool,
  kind: ContentKind,
  { data, occurredAt }: ContentModeratedV1,
): Promise<void> {
  const { action } = data;
  const id = Number(data.id);
  if (action === 'keep') return;
  await transaction<unknown>(pool, (tx) =>
    action === 'remove'
      ? tx.query(REMOVE[kind], [id])
      : setHidden(tx, kind, id, action === 'hide', new Date(occurredAt)),
  );
}
