import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reportedQuery, type ReportedStatus } from '../../features/thread/comments-api.ts';
import { ReportedList } from '../../features/thread/reported-list.tsx';
import { texts } from '../../features/thread/reported.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { useSession } from '../../lib/session/session.ts';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/**
 * Reported and hidden comments of an organizer's events, or of all events for admins
 * (services/realtime/PRODUCT.md#comments).
 */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  const { user } = useSession();
  const isAdmin = user?.role === 'admin';
  const [status, setStatus] = useState<ReportedStatus>('open');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(reportedQuery(status));
  const comments = found.data?.pages.flatMap(({ items }) => items);
  return (
    <Page
      title={t('title')}
      intro={t(isAdmin ? 'belowAll' : 'belowYours')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as ReportedStatus)}>
            <option value="open">{t('reported')}</option>
            <option value="hidden">{t('hidden')}</option>
          </Select>
        </Field>
      }
      heading={heading}
    >
      <PagedList
        found={found}
        items={comments}
        what={t('what')}
        skeleton={{ className: 'h-40', of: 'cards' }}
        empty={
          <EmptyState title={t(status === 'open' ? 'noneReported' : 'noneHidden')}>
            {t(status === 'open' ? 'noneReportedWhy' : 'noneHiddenWhy')}
          </EmptyState>
        }
      >
        {(listed) => <ReportedList comments={listed} isAdmin={isAdmin} onDone={() => heading.current?.focus()} />}
      </PagedList>
    </Page>
  );
}
