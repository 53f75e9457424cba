import { ContactMessages } from '@beltway/contracts/contact';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MessageList } from '../features/contact/message-list.tsx';
import { AdminsOnly } from '../layout/admins-only.tsx';
import { get, isForbidden } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

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
  if (isForbidden(found.error)) return <AdminsOnly>Messages by the contact form are read by admins.</AdminsOnly>;
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
      <PagedList
        found={found}
        items={messages}
        what="messages"
        skeleton={{ className: 'h-40', of: 'cards' }}
        empty={
          <EmptyState title={status === 'open' ? 'Everything is answered' : 'Nothing was answered yet'}>
            {status === 'open'
              ? 'What people write by the contact form is listed here at once.'
              : 'What you mark as answered is kept here for a year.'}
          </EmptyState>
        }
      >
        {(listed) => <MessageList messages={listed} />}
      </PagedList>
    </div>
  );
}
