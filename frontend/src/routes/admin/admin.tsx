import { useSearchParams } from 'react-router-dom';
import { PayoutsTab } from '../../features/payouts/payouts-tab.tsx';
import { Analytics } from '../../features/revenue/analytics.tsx';
import { RevenueOverview } from '../../features/revenue/revenue-overview.tsx';
import { texts } from '../../features/revenue/texts.en.ts';
import { useIsAdmin, useIsBusiness } from '../../layout/account.ts';
import { SellersOnly } from '../../layout/sellers-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** Pages of admins alone. */
const ADMIN_PAGES = [
  '/disputes',
  '/contact-messages',
  '/moderation',
  '/reported-comments',
  '/admin/ads',
  '/admin/gallery',
  '/admin/top-picks',
  '/admin/referrals',
  '/ops',
] as const;

function Customers() {
  const t = useTexts(texts);
  return (
    <div className="grid justify-items-start gap-4">
      <p className="max-w-prose">{t('customersWhy')}</p>
      <ButtonLink to="/customers">{t('viewCustomers')}</ButtonLink>
    </div>
  );
}

const TABS = [
  { value: 'revenue', label: 'overview', content: <RevenueOverview /> },
  { value: 'payouts', label: 'payouts', content: <PayoutsTab /> },
  { value: 'customers', label: 'customers', content: <Customers /> },
  { value: 'analytics', label: 'analytics', content: <Analytics /> },
] as const;

/** Revenue, customers and analytics: own events; for admins, the platform (services/payments/PRODUCT.md#revenue). */
export function Component() {
  usePageTitle(useTexts(texts)('adminRevenue'));
  return useIsBusiness() ? <Admin /> : <SellersOnly />;
}

function Admin() {
  const t = useTexts(texts);
  const isAdmin = useIsAdmin();
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'revenue';
  const choose = (value: string) =>
    setParams(value === 'revenue' ? {} : { tab: value }, { replace: true, preventScrollReset: true });
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="grid gap-2">
        <h1 className="text-heading">{t('adminRevenue')}</h1>
        <p className="text-ink-soft">{isAdmin ? t('wholePlatform') : t('ownEvents')}</p>
        {isAdmin && (
          <nav aria-label={t('forAdmins')} className="-mx-2 flex flex-wrap gap-1">
            {ADMIN_PAGES.map((path) => (
              <ButtonLink key={path} to={path} variant="quiet" className="px-2 underline underline-offset-4">
                {t(path)}
              </ButtonLink>
            ))}
          </nav>
        )}
      </header>
      <Tabs
        label={t('admin')}
        value={tab}
        onValueChange={choose}
        tabs={TABS.map((one) => ({ ...one, label: t(one.label) }))}
      />
    </div>
  );
}
