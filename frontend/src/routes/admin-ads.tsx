import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reviewsQuery, type ReviewStatus } from '../features/ads/api.ts';
import { ReviewList } from '../features/ads/review-list.tsx';
import { explain, HttpError } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

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
  if (found.error instanceof HttpError && found.error.status === 403)
    return (
      <div className="page py-12">
        <EmptyState heading="h1" title="For admins only" action={<ButtonLink to="/">Back to the feed</ButtonLink>}>
          Ads are approved by admins.
        </EmptyState>
      </div>
    );
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
      {found.isPending ? (
        <Loading label="The ads are loading" className="grid gap-4">
          <Skeleton className="h-56 rounded-lg" />
          <Skeleton className="h-56 rounded-lg" />
        </Loading>
      ) : !ads ? (
        <ErrorState
          title="The ads could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : ads.length === 0 ? (
        <EmptyState title={title}>{text}</EmptyState>
      ) : (
        <>
          <ReviewList ads={ads} onDone={() => heading.current?.focus()} />
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
