import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsQuery, isDispute } from '../../features/disputes/api.ts';
import { DisputeItem } from '../../features/disputes/dispute-item.tsx';
import { texts } from '../../features/disputes/texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Disputed payments with their evidence, for admins (services/ticketing/PRODUCT.md#refunds). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('disputes'));
  const [status, setStatus] = useState<'open' | 'all'>('open');
  const found = useInfiniteQuery(alertsQuery(status));
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const disputes = found.data?.pages.flatMap(({ alerts }) => alerts.filter(isDispute));
  return (
    <Page
      title={t('disputes')}
      intro={t('whileOpen')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as 'open' | 'all')}>
            <option value="open">{t('open')}</option>
            <option value="all">{t('all')}</option>
          </Select>
        </Field>
      }
    >
      <PagedList
        found={found}
        items={disputes}
        what={t('what')}
        skeleton={{ className: 'h-32', of: 'cards' }}
        empty={<EmptyState title={status === 'open' ? t('nothingIs') : t('nothingWas')}>{t('nothingWhy')}</EmptyState>}
      >
        {(listed) => listed.map((dispute) => <DisputeItem key={dispute.id} dispute={dispute} />)}
      </PagedList>
    </Page>
  );
}
