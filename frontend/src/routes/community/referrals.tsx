import { useInfiniteQuery } from '@tanstack/react-query';
import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { referralsQuery } from '../../features/referrals/api.ts';
import { OwnLink } from '../../features/referrals/own-link.tsx';
import { ReferralList } from '../../features/referrals/referral-list.tsx';
import { texts } from '../../features/referrals/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Page } from '../../ui/page.tsx';

/** The user's invitation link, its rules, and the resulting registrations (services/identity/PRODUCT.md#referrals). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  const found = useInfiniteQuery(referralsQuery());
  const own = found.data?.pages[0];
  const max = own && formatCount(own.maxPerMonth);
  return (
    <Page
      title={t('title')}
      actions={own && <p className="mt-1 text-ink-soft">{t('lead', { points: formatCount(own.reward) })}</p>}
      width="text"
    >
      <CommunityNav />
      {own && <OwnLink own={own} />}
      {max !== undefined && (
        <section aria-labelledby="how-title" className="grid gap-2">
          <h2 id="how-title" className="text-title">
            {t('how')}
          </h2>
          <ul className="grid list-disc gap-1 ps-5">
            <li>{t('howOnce')}</li>
            <li>{t('howReward')}</li>
            <li>{t('howLimit', { max })}</li>
            <li>{t('howNames')}</li>
          </ul>
        </section>
      )}
      <section aria-labelledby="people-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 id="people-title" className="text-title">
          {t('people')}
        </h2>
        <PagedList
          found={found}
          items={found.data?.pages.flatMap(({ items }) => items)}
          what={t('what')}
          skeleton={{ className: 'h-14', of: 'rows' }}
          empty={<p className="text-ink-soft">{t('nobody')}</p>}
        >
          {(listed) => <ReferralList referrals={listed} maxPerMonth={own?.maxPerMonth ?? 0} />}
        </PagedList>
      </section>
    </Page>
  );
}
