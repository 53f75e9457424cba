import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { transaction, type Queryable } from '@beltway/kit/postgres';

/** Of those that posts and their kin have something of. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from community_people), (select max(user_id) from social_posts),
  (select max(user_id) from social_post_comments), (select max(user_id) from social_post_likes), (select max(user_id) from message_board),
  (select max(user_id) from message_board_answers), (select max(user_id) from message_board_follows), (select max(user_id) from community_blocks),
  (select max(blocked_id) from community_blocks)) as highest`;

/** What they posted, asked, answered and wrote, liked, shared and follow, and whom they block; the newest first. */
export async function communityPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string) => (await db.query(text, [userId, MAX_EXPORTED])).rows as object[];
  const lists = {
    posts:
      await list(`select id, content, image_url as "imageUrl", event_id as "eventId", place_id as place, likes, comments, shares,
        created_at as "createdAt", edited_at as "editedAt", hidden_at as "hiddenAt"
      from social_posts where user_id = $1 order by id desc limit $2`),
    postComments: await list(`select post_id as "postId", text, created_at as "createdAt", hidden_at as "hiddenAt"
      from social_post_comments where user_id = $1 order by id desc limit $2`),
    postLikes: await list(`select post_id as "postId", created_at as "createdAt" from social_post_likes
      where user_id = $1 order by created_at desc limit $2`),
    postShares: await list(`select post_id as "postId", created_at as "createdAt" from social_post_shares
      where user_id = $1 order by created_at desc limit $2`),
    questions: await list(`select id, question, category, place_id as location, event_id as "eventId", likes, answers,
        created_at as "createdAt", edited_at as "editedAt", hidden_at as "hiddenAt"
      from message_board where user_id = $1 order by id desc limit $2`),
    answers:
      await list(`select question_id as "questionId", answer, is_verified as "isVerified", likes, created_at as "createdAt",
        hidden_at as "hiddenAt" from message_board_answers where user_id = $1 order by id desc limit $2`),
    questionLikes: await list(`select question_id as "questionId", created_at as "createdAt" from message_board_likes
      where user_id = $1 order by created_at desc limit $2`),
    answerLikes: await list(`select answer_id as "answerId", created_at as "createdAt" from message_board_answer_likes
      where user_id = $1 order by created_at desc limit $2`),
    followedQuestions:
      await list(`select question_id as "questionId", created_at as "createdAt" from message_board_follows
      where user_id = $1 order by created_at desc limit $2`),
    blocks: await list(`select blocked_id as "userId", created_at as "createdAt" from community_blocks
      where user_id = $1 order by id desc limit $2`),
  };
  return { ...lists, isComplete: Object.values(lists).every(({ length }) => length < MAX_EXPORTED) };
}

/** Deletes what they posted, asked, answered and wrote, liked, shared and follow, and whom they block and who blocks them. Done again it changes nothing more. */
export const eraseFromCommunity = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    const run = (text: string) => tx.query(text, [userId]);
    await run('delete from social_posts where user_id = $1');
    await run(`with gone as (delete from social_post_comments where user_id = $1 returning post_id, hidden_at),
        counted as (select post_id, count(*) filter (where hidden_at is null)::integer as shown from gone group by post_id)
      update social_posts p set comments = comments - shown from counted where p.id = counted.post_id`);
    await run(`with gone as (delete from social_post_likes where user_id = $1 returning post_id)
      update social_posts p set likes = likes - 1 from gone where p.id = gone.post_id`);
    await run(`with gone as (delete from social_post_shares where user_id = $1 returning post_id)
      update social_posts p set shares = shares - 1 from gone where p.id = gone.post_id`);
    await run('delete from message_board where user_id = $1');
    await run(`with gone as (delete from message_board_answers where user_id = $1 returning id, question_id, hidden_at),
        counted as (select question_id, count(*) filter (where hidden_at is null)::integer as shown, array_agg(id) as ids
          from gone group by question_id)
      update message_board m set answers = answers - shown,
        accepted_answer_id = case when accepted_answer_id = any(ids) then null else accepted_answer_id end
      from counted where m.id = counted.question_id`);
    await run(`with gone as (delete from message_board_likes where user_id = $1 returning question_id)
      update message_board m set likes = likes - 1 from gone where m.id = gone.question_id`);
    await run(`with gone as (delete from message_board_answer_likes where user_id = $1 returning answer_id)
      update message_board_answers a set likes = likes - 1 from gone where a.id = gone.answer_id`);
    await run('delete from message_board_follows where user_id = $1');
    await run('delete from community_requests where user_id = $1');
    await run('delete from community_blocks where user_id = $1 or blocked_id = $1');
    await run('delete from community_people where user_id = $1');
  });
