import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsQuery } from '../features/disputes/api.ts';
import { DisputeItem, isDispute } from '../features/disputes/dispute-item.tsx';
import { explain } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

/** What banks dispute, with the evidence for it; for admins (docs/product.md#refunds). */
export function Component() {
  usePageTitle('Disputes');
  const [status, setStatus] = useState<'open' | 'all'>('open');
  const found = useInfiniteQuery(alertsQuery(status));
  const disputes = found.data?.pages.flatMap(({ alerts }) => alerts.filter(isDispute));
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-heading">Disputes</h1>
          <p className="mt-1 text-ink-soft">While a dispute is open its tickets admit nobody.</p>
        </div>
        <Field label="Show">
          <Select value={status} onChange={({ target }) => setStatus(target.value as 'open' | 'all')}>
            <option value="open">Open</option>
            <option value="all">All</option>
          </Select>
        </Field>
      </header>
      {found.isPending ? (
        <Loading label="The disputes are loading" className="grid gap-4">
          <Skeleton className="h-32 rounded-lg" />
          <Skeleton className="h-32 rounded-lg" />
        </Loading>
      ) : !disputes ? (
        <ErrorState
          title="The disputes could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : disputes.length === 0 && !found.hasNextPage ? (
        <EmptyState title={status === 'open' ? 'Nothing is disputed' : 'Nothing was disputed'}>
          When a buyer’s bank takes a payment back, it is listed here with what can be sent to it.
        </EmptyState>
      ) : (
        <>
          {disputes.map((dispute) => (
            <DisputeItem key={dispute.id} dispute={dispute} />
          ))}
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
