import type { Event } from '@beltway/contracts/catalog/events';
import type { User } from '@beltway/contracts/identity/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { drafts } from '../../lib/storage/drafts.ts';
import { isOutdated, postComment, shownComments, unsentId } from './comments-api.ts';
import { useRetryKey } from './retry-key.ts';

interface Sending {
  text: string;
  /** Called if the server refused the text, which is then removed from the list. */
  onRefused: () => void;
}

/** The storage key of a draft. */
export const draftName = (eventId: number, answerTo?: number): string =>
  `comment-${eventId}${answerTo === undefined ? '' : `-${answerTo}`}`;

/** Sends a comment or an answer and shows it immediately. Removes it if the server refuses. A retry is idempotent. */
export function useSend({ event, user, answerTo }: { event: Event; user: User | null; answerTo?: number }) {
  const queries = useQueryClient();
  const retryKey = useRetryKey();
  return useMutation({
    mutationFn: async ({ text }: Sending) => {
      const shown = shownComments(queries, event.id);
      const id = unsentId();
      void shown.hold();
      const taken = shown.add({
        id,
        eventId: event.id,
        answerTo: answerTo ?? null,
        state: 'shown',
        author: user && { id: user.id, name: user.name },
        text,
        isOrganizer: user?.id === event.userId,
        createdAt: new Date().toISOString(),
        editedAt: null,
        answers: [],
        answerCount: 0,
      });
      try {
        const body = { text, ...(answerTo !== undefined && { answerTo }) };
        shown.replace(id, await postComment(event.id, body, retryKey.of(text)));
        retryKey.forget();
        drafts.drop(draftName(event.id, answerTo));
      } catch (error) {
        taken();
        if (isOutdated(error)) void shown.refresh();
        throw error;
      }
    },
    onError: (_error, { onRefused }) => onRefused(),
  });
}
