import type { Pool } from 'pg';
import type { ContentModeratedV1 } from '@beltway/contracts/identity/moderation';
import { HttpProblem } from '@beltway/kit/problems';
import type { Chat } from '../chat/chat.ts';
import { COMMUNITY_KINDS, applyToCommunity } from './community.ts';
import { isNewest } from './decisions.ts';
import { placeOf } from '../chat/message-id.ts';

/** Does with a message, or something of the community, what an admin decided; what is so already, or gone, is left alone. */
export async function applyDecision(
  { pool, chat }: { pool: Pool; chat: Pick<Chat, 'decided'> },
  message: ContentModeratedV1,
): Promise<void> {
  const { data } = message;
  const { kind, id, action, adminId } = data;
  const ofCommunity = COMMUNITY_KINDS.find((one) => one === kind);
  if ((kind !== 'message' && !ofCommunity) || !(await isNewest(pool, data))) return;
  if (ofCommunity) return applyToCommunity(pool, ofCommunity, message);
  const { room, seq } = placeOf(id);
  await chat.decided(room, seq, { isRemoved: action === 'remove', adminId }).catch((error: unknown) => {
    if (!(error instanceof HttpProblem && error.status === 404)) throw error;
  });
}
