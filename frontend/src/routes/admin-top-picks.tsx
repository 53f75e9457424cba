import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toCheckQuery, type CheckStatus } from '../features/top-picks/api.ts';
import { CheckList } from '../features/top-picks/check-list.tsx';
import { AdminsOnly } from '../layout/admins-only.tsx';
import { isForbidden } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

const NOTHING: Record<CheckStatus, [title: string, text: string]> = {
  reported: ['Nothing is reported', 'What people report is listed here until you keep or remove it.'],
  all: ['No videos yet', 'Videos that people upload are listed here.'],
};

/** Reported videos, and all of them; for admins (docs/product.md#top-picks). */
export function Component() {
  usePageTitle('Videos');
  const [status, setStatus] = useState<CheckStatus>('reported');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(toCheckQuery(status));
  if (isForbidden(found.error)) return <AdminsOnly>Videos are looked at by admins.</AdminsOnly>;
  const [title, text] = NOTHING[status];
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Videos
        </h1>
        <Field label="Show">
          <Select value={status} onChange={({ target }) => setStatus(target.value as CheckStatus)}>
            <option value="reported">Reported</option>
            <option value="all">All</option>
          </Select>
        </Field>
      </header>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what="videos"
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={title}>{text}</EmptyState>}
      >
        {(listed) => <CheckList videos={listed} onDone={() => heading.current?.focus()} />}
      </PagedList>
    </div>
  );
}
