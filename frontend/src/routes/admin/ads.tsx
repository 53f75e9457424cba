import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reviewsQuery, type ReviewStatus } from '../../features/ads/api.ts';
import { ReviewList } from '../../features/ads/review-list.tsx';
import { texts } from '../../features/ads/review.texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

const NOTHING = {
  waiting: ['noneWaiting', 'noneWaitingWhy'],
  running: ['noneRunning', 'noneRunningWhy'],
  all: ['noneBought', 'noneBoughtWhy'],
} as const satisfies Record<ReviewStatus, [title: string, text: string]>;

/** Ads to approve or reject, for admins (services/catalog/PRODUCT.md#ads). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('ads'));
  const [status, setStatus] = useState<ReviewStatus>('waiting');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(reviewsQuery(status));
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const ads = found.data?.pages.flatMap(({ items }) => items);
  const [title, text] = NOTHING[status];
  return (
    <Page
      title={t('ads')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as ReviewStatus)}>
            <option value="waiting">{t('waitingForApproval')}</option>
            <option value="running">{t('running')}</option>
            <option value="all">{t('all')}</option>
          </Select>
        </Field>
      }
      heading={heading}
    >
      <PagedList
        found={found}
        items={ads}
        what={t('what')}
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={t(title)}>{t(text)}</EmptyState>}
      >
        {(listed) => <ReviewList ads={listed} onDone={() => heading.current?.focus()} />}
      </PagedList>
    </Page>
  );
}
