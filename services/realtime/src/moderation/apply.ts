import type { Pool } from 'pg';
import type { ContentModeratedV1 } from '@beltway/contracts/moderation';
import { HttpProblem } from '@beltway/kit/problems';
import type { Chat } from '../chat/chat.ts';
import { isNewest } from './decisions.ts';
import { placeOf } from './message-id.ts';

/** Does with a message what an admin decided; what is so already, or gone, is left alone. */
export async function applyDecision(
  { pool, chat }: { pool: Pool; chat: Pick<Chat, 'decided'> },
  { data }: ContentModeratedV1,
): Promise<void> {
  const { kind, id, action, adminId } = data;
  if (kind !== 'message' || !(await isNewest(pool, data))) return;
  const { room, seq } = placeOf(id);
  await chat.decided(room, seq, { isRemoved: action === 'remove', adminId }).catch((error: unknown) => {
    if (!(error instanceof HttpProblem && error.status === 404)) throw error;
  });
}
