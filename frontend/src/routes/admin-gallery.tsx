import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { requestsQuery, toCheckQuery, type CheckStatus } from '../features/gallery/api.ts';
import { CheckList, RequestList } from '../features/gallery/check-list.tsx';
import { AdminsOnly } from '../layout/admins-only.tsx';
import { explain, isForbidden } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';

const NOTHING: Record<CheckStatus, [title: string, text: string]> = {
  pending: ['Nothing waits for a look', 'Photos by who is not verified for their event are listed here.'],
  reported: ['Nothing is reported', 'What readers report is listed here until you keep or remove it.'],
};

/** Photos to verify, reported ones, and businesses that ask for a look; for admins (docs/product.md#gallery). */
export function Component() {
  usePageTitle('Photos');
  const [status, setStatus] = useState<CheckStatus>('pending');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(toCheckQuery(status));
  const requests = useQuery(requestsQuery());
  if (isForbidden(found.error)) return <AdminsOnly>Photos are verified by admins.</AdminsOnly>;
  const photos = found.data?.pages.flatMap(({ items }) => items);
  const focus = () => heading.current?.focus();
  const [title, text] = NOTHING[status];
  const asking = requests.data?.items ?? [];
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Photos
        </h1>
        <Field label="Show">
          <Select value={status} onChange={({ target }) => setStatus(target.value as CheckStatus)}>
            <option value="pending">Waiting for a look</option>
            <option value="reported">Reported</option>
          </Select>
        </Field>
      </header>
      <PagedList
        found={found}
        items={photos}
        what="photos"
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={title}>{text}</EmptyState>}
      >
        {(listed) => <CheckList photos={listed} onDone={focus} />}
      </PagedList>
      {requests.error && (
        <ErrorState
          title="The businesses could not be loaded"
          message={explain(requests.error)}
          onRetry={() => void requests.refetch()}
          retrying={requests.isFetching}
        />
      )}
      {asking.length > 0 && (
        <section className="grid gap-4">
          <h2 className="text-heading">Businesses that ask for a look</h2>
          <RequestList items={asking} onDone={focus} />
        </section>
      )}
    </div>
  );
}
