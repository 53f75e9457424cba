import type { Pool } from 'pg';
import type { ContentModeratedV1 } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/event-store';
import { HttpProblem } from '@beltway/kit/problems';
import { commentById, deleteComment } from '../comments/comments.ts';
import { moderateComment } from '../comments/moderation.ts';
import type { Turns } from '../comments/turns.ts';
import { isNewest } from './decisions.ts';

/** Does with a comment what an admin decided; what is so already, or gone, is left alone. */
export async function applyDecision(
  { pool, turns }: { pool: Pool; turns: Turns },
  { data, occurredAt }: ContentModeratedV1,
): Promise<void> {
  const { kind, id, action, adminId } = data;
  if (kind !== 'comment' || !(await isNewest(pool, data))) return;
  const comment = await commentById(pool, Number(id));
  if (!comment) return;
  const { id: commentId, eventId } = comment;
  const writing = { pool, turns };
  const at = new Date(occurredAt);
  if (action === 'remove') return deleteComment(writing, { eventId, commentId, authorId: null }, at);
  const moderator = { id: adminId, isAdmin: true };
  await moderateComment(writing, { eventId, commentId, moderator, action }, at).catch((error: unknown) => {
    // Its author deleted it, or what was reported is settled otherwise.
    if (!(error instanceof Rejected || (error instanceof HttpProblem && error.status === 404))) throw error;
  });
}
