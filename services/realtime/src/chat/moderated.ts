import type { ModeratedKind } from '@beltway/kit/service/moderated';
import type { Chat } from './chat.ts';
import { placeOf } from './message-id.ts';

/** How chat messages are reported, and how admins' decisions are carried out. */
export const moderatedMessages = (chat: Pick<Chat, 'reported' | 'decided'>): ModeratedKind => ({
  kind: 'message',
  load(id, reporterId) {
    const { room, seq } = placeOf(id);
    return chat.reported(room, reporterId, seq);
  },
  apply({ id, action, adminId }) {
    const { room, seq } = placeOf(id);
    return chat.decided(room, seq, { isRemoved: action === 'remove', adminId });
  },
});
