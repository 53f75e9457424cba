import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reviewsQuery, type ReviewStatus } from '../features/ads/api.ts';
import { ReviewList } from '../features/ads/review-list.tsx';
import { AdminsOnly } from '../layout/admins-only.tsx';
import { isForbidden } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

const NOTHING: Record<ReviewStatus, [title: string, text: string]> = {
  waiting: [
    'Nothing waits for approval',
    'What buyers send for their ads is listed here until you approve or reject it.',
  ],
  running: ['No ad is running', 'What you approve is listed here until its time is over.'],
  all: ['No ad was bought yet', 'Ads are listed here as soon as they are paid.'],
};

/** Ads to approve or reject, for admins (docs/product.md#ads). */
export function Component() {
  usePageTitle('Ads');
  const [status, setStatus] = useState<ReviewStatus>('waiting');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(reviewsQuery(status));
  if (isForbidden(found.error)) return <AdminsOnly>Ads are approved by admins.</AdminsOnly>;
  const ads = found.data?.pages.flatMap(({ items }) => items);
  const [title, text] = NOTHING[status];
  return (
    <div className="page grid gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Ads
        </h1>
        <Field label="Show">
          <Select value={status} onChange={({ target }) => setStatus(target.value as ReviewStatus)}>
            <option value="waiting">Waiting for approval</option>
            <option value="running">Running</option>
            <option value="all">All</option>
          </Select>
        </Field>
      </header>
      <PagedList
        found={found}
        items={ads}
        what="ads"
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={title}>{text}</EmptyState>}
      >
        {(listed) => <ReviewList ads={listed} onDone={() => heading.current?.focus()} />}
      </PagedList>
    </div>
  );
}
