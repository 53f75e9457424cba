import { useInfiniteQuery } from '@tanstack/react-query';
import { flaggedQuery } from '../../features/referrals/api.ts';
import { FlaggedList } from '../../features/referrals/flagged-list.tsx';
import { texts } from '../../features/referrals/texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Referrals that may be self-referrals, for admins (services/identity/PRODUCT.md#referrals). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('flaggedTitle'));
  const found = useInfiniteQuery(flaggedQuery());
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  return (
    <Page title={t('flaggedTitle')} intro={t('flaggedLead')} width="text">
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('what')}
        skeleton={{ className: 'h-20', of: 'rows' }}
        empty={<EmptyState title={t('noneFlagged')}>{t('noneFlaggedWhy')}</EmptyState>}
      >
        {(listed) => <FlaggedList referrals={listed} />}
      </PagedList>
    </Page>
  );
}
