import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsQuery } from '../features/disputes/api.ts';
import { DisputeItem, isDispute } from '../features/disputes/dispute-item.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

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
      <PagedList
        found={found}
        items={disputes}
        what="disputes"
        skeleton={{ className: 'h-32', of: 'cards' }}
        empty={
          <EmptyState title={status === 'open' ? 'Nothing is disputed' : 'Nothing was disputed'}>
            When a buyer’s bank takes a payment back, it is listed here with what can be sent to it.
          </EmptyState>
        }
      >
        {(listed) => listed.map((dispute) => <DisputeItem key={dispute.id} dispute={dispute} />)}
      </PagedList>
    </div>
  );
}
