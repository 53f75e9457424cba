import type { PoolClient } from 'pg';

/** What moderators hide and restore. */
export type ContentKind = 'post' | 'post-comment' | 'question' | 'answer';

const HIDE = 'hidden_at = case when $2 then $3::timestamptz end where id = $1 and (hidden_at is null) = $2';

/** Hides something from everybody, or shows it again. What is so already, or gone, is left alone; answers whether it changed. */
export async function setHidden(
  tx: Pick<PoolClient, 'query'>,
  kind: ContentKind,
  id: number,
  isHidden: boolean,
  now: Date,
): Promise<boolean> {
  switch (kind) {
    case 'post': {
      const { rowCount } = await tx.query(`update social_posts set ${HIDE}`, [id, isHidden, now]);
      return rowCount === 1;
    }
    case 'post-comment': {
      const { rowCount } = await tx.query(
        `with changed as (update social_post_comments set ${HIDE} returning post_id)
         update social_posts p set comments = comments + case when $2 then -1 else 1 end from changed where p.id = changed.post_id`,
        [id, isHidden, now],
      );
      return rowCount === 1;
    }
    case 'question': {
      const { rowCount } = await tx.query(`update message_board set ${HIDE}`, [id, isHidden, now]);
      return rowCount === 1;
    }
    case 'answer': {
      // An answer that is shown again is not accepted again: who asked has moved on.
      const { rowCount } = await tx.query(
        `with changed as (update message_board_answers set ${HIDE} returning id, question_id)
         update message_board m set answers = answers + case when $2 then -1 else 1 end,
           accepted_answer_id = nullif(accepted_answer_id, changed.id) from changed where m.id = changed.question_id`,
        [id, isHidden, now],
      );
      return rowCount === 1;
    }
  }
}
