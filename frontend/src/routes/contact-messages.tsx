import { ContactMessages } from '@beltway/contracts/contact';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MessageList } from '../features/contact/message-list.tsx';
import { explain, get, HttpError } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

type Status = 'open' | 'answered';

/** What people wrote by the contact form, for admins (docs/product.md#contact). */
export function Component() {
  usePageTitle('Contact messages');
  const [status, setStatus] = useState<Status>('open');
  const found = useInfiniteQuery({
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
  if (found.error instanceof HttpError && found.error.status === 403)
    return (
      <div className="page py-12">
        <EmptyState heading="h1" title="For admins only" action={<ButtonLink to="/">Back to the feed</ButtonLink>}>
          Messages by the contact form are read by admins.
        </EmptyState>
      </div>
    );
  const messages = found.data?.pages.flatMap(({ items }) => items);
  return (
    <div className="page grid gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-heading">Contact messages</h1>
        <Field label="Show">
          <Select value={status} onChange={({ target }) => setStatus(target.value as Status)}>
            <option value="open">Not answered</option>
            <option value="answered">Answered</option>
          </Select>
        </Field>
      </header>
      {found.isPending ? (
        <Loading label="The messages are loading" className="grid gap-4">
          <Skeleton className="h-40 rounded-lg" />
          <Skeleton className="h-40 rounded-lg" />
        </Loading>
      ) : !messages ? (
        <ErrorState
          title="The messages could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : messages.length === 0 ? (
        <EmptyState title={status === 'open' ? 'Everything is answered' : 'Nothing was answered yet'}>
          {status === 'open'
            ? 'What people write by the contact form is listed here at once.'
            : 'What you mark as answered is kept here for a year.'}
        </EmptyState>
      ) : (
        <>
          <MessageList messages={messages} />
          {found.hasNextPage && (
            <Button
              variant="secondary"
              className="justify-self-center"
              pending={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </div>
  );
}
