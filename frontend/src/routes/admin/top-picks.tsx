import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toCheckQuery, type CheckStatus } from '../../features/top-picks/api.ts';
import { CheckList } from '../../features/top-picks/check-list.tsx';
import { texts } from '../../features/top-picks/check.texts.en.ts';
import { texts as playerTexts } from '../../features/top-picks/player.texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

const NOTHING = {
  reported: ['noneReported', 'noneReportedWhy'],
  all: ['noVideos', 'noVideosWhy'],
} as const satisfies Record<CheckStatus, [title: string, text: string]>;

/** Reported videos or all videos, for admins (services/media/PRODUCT.md#top-picks). */
export function Component() {
  const t = useTexts(texts);
  // Loads the player's texts, which contain the labels of reasons for reports.
  useTexts(playerTexts);
  usePageTitle(t('videos'));
  const [status, setStatus] = useState<CheckStatus>('reported');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(toCheckQuery(status));
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const [title, text] = NOTHING[status];
  return (
    <Page
      title={t('videos')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as CheckStatus)}>
            <option value="reported">{t('reported')}</option>
            <option value="all">{t('all')}</option>
          </Select>
        </Field>
      }
      heading={heading}
    >
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('what')}
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={t(title)}>{t(text)}</EmptyState>}
      >
        {(listed) => <CheckList videos={listed} onDone={() => heading.current?.focus()} />}
      </PagedList>
    </Page>
  );
}
