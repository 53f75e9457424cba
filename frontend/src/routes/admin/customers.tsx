import type { Customer, CustomerStatus } from '@beltway/contracts/ticketing/customers';
import { useInfiniteQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useDeferredValue, useState } from 'react';
import { saveCustomers, customersQuery } from '../../features/customers/api.ts';
import { CustomerDialog } from '../../features/customers/customer-dialog.tsx';
import { CustomerTable } from '../../features/customers/customer-table.tsx';
import { CustomerTotals } from '../../features/customers/customer-totals.tsx';
import { texts } from '../../features/customers/texts.en.ts';
import { useIsBusiness } from '../../layout/account.ts';
import { SellersOnly } from '../../layout/sellers-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Input } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAction } from '../../lib/actions/use-action.ts';

const FILTERS = [
  ['all', 'all'],
  ['paid', 'onlyPaid'],
  ['pending', 'onlyPending'],
] as const satisfies readonly (readonly [CustomerStatus, string])[];

/** Buyers of the organizer's events, or of all events for admins (services/ticketing/PRODUCT.md#customers). */
export function Component() {
  usePageTitle(useTexts(texts)('customers'));
  return useIsBusiness() ? <Customers /> : <SellersOnly />;
}

function Customers() {
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const [status, setStatus] = useState<CustomerStatus>('all');
  const [shown, setShown] = useState<Customer | null>(null);
  const search = { q: useDeferredValue(typed.trim()), status };
  const found = useInfiniteQuery(customersQuery(search));
  const save = useAction({
    mutationFn: () => saveCustomers(search),
    failed: t('notSaved'),
  });
  // The account lost its role while the page was open.
  if (isForbidden(found.error)) return <SellersOnly />;
  const customers = found.data?.pages.flatMap(({ items }) => items);
  const isNarrowed = search.q !== '' || status !== 'all';
  return (
    <Page title={t('customers')}>
      <CustomerTotals />
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('search')} className="min-w-0 flex-1 basis-64 sm:max-w-md">
          <Input
            type="search"
            maxLength={100}
            placeholder={t('searchHint')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <div role="group" aria-label={t('payment')} className="flex gap-1 rounded-full bg-sunken p-1">
          {FILTERS.map(([value, label]) => (
            <button
              key={value}
              type="button"
              aria-pressed={status === value}
              onClick={() => setStatus(value)}
              className={cx(
                'min-h-11 rounded-full px-4 font-strong transition-colors duration-(--duration-fast)',
                status === value ? 'bg-raised text-ink shadow-card' : 'text-ink-soft hover:text-ink',
              )}
            >
              {t(label)}
            </button>
          ))}
        </div>
        <Button variant="secondary" className="sm:ml-auto" pending={save.isPending} onClick={() => save.mutate()}>
          {!save.isPending && <Download aria-hidden className="size-4" />}
          {t('csv')}
        </Button>
      </div>
      <PagedList
        found={found}
        items={customers}
        what={t('what')}
        skeleton={{ className: 'h-16', of: 'rows' }}
        empty={
          <EmptyState title={isNarrowed ? t('nobody') : t('noCustomers')}>
            {isNarrowed ? t('nobodyWhy') : t('noCustomersWhy')}
          </EmptyState>
        }
        more={t('loadMore')}
      >
        {(listed) => <CustomerTable customers={listed} onDetails={setShown} />}
      </PagedList>
      {shown && <CustomerDialog customer={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}
