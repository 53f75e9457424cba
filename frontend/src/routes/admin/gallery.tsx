import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { requestsQuery, toCheckQuery, type CheckStatus } from '../../features/gallery/api.ts';
import { CheckList, RequestList } from '../../features/gallery/check-list.tsx';
import { texts } from '../../features/gallery/check.texts.en.ts';
import { texts as photoTexts } from '../../features/gallery/texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain, isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';

const NOTHING = {
  pending: ['noneWaiting', 'noneWaitingWhy'],
  reported: ['noneReported', 'noneReportedWhy'],
} as const satisfies Record<CheckStatus, [title: string, text: string]>;

/**
 * Photos to verify, reported photos, and verification requests of businesses, for admins
 * (services/media/PRODUCT.md#gallery).
 */
export function Component() {
  const t = useTexts(texts);
  // Loads the gallery's texts, which contain the labels of badges and reasons.
  useTexts(photoTexts);
  usePageTitle(t('photos'));
  const [status, setStatus] = useState<CheckStatus>('pending');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(toCheckQuery(status));
  const requests = useQuery(requestsQuery());
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const photos = found.data?.pages.flatMap(({ items }) => items);
  const focus = () => heading.current?.focus();
  const [title, text] = NOTHING[status];
  const asking = requests.data?.items ?? [];
  return (
    <Page
      title={t('photos')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as CheckStatus)}>
            <option value="pending">{t('waiting')}</option>
            <option value="reported">{t('reported')}</option>
          </Select>
        </Field>
      }
      heading={heading}
    >
      <PagedList
        found={found}
        items={photos}
        what={t('what')}
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={t(title)}>{t(text)}</EmptyState>}
      >
        {(listed) => <CheckList photos={listed} onDone={focus} />}
      </PagedList>
      {requests.error && (
        <ErrorState
          title={t('businessesNotLoaded')}
          message={explain(requests.error)}
          onRetry={() => void requests.refetch()}
          retrying={requests.isFetching}
        />
      )}
      {asking.length > 0 && (
        <section className="grid gap-4">
          <h2 className="text-heading">{t('businessesAsking')}</h2>
          <RequestList items={asking} onDone={focus} />
        </section>
      )}
    </Page>
  );
}
