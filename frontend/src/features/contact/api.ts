import { ContactMessages } from '@beltway/contracts/identity/contact';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from '../../lib/http/http.ts';

export type MessageStatus = 'open' | 'answered';

/** GET /api/contact-messages, page by page. */
export const messagesQuery = (status: MessageStatus) =>
  infiniteQueryOptions({
    queryKey: ['/api/contact-messages', status],
    queryFn: ({ pageParam, signal }) =>
      get(
        `/api/contact-messages?${new URLSearchParams({ status, ...(pageParam && { cursor: pageParam }) })}`,
        ContactMessages,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
