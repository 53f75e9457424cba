import { useSearchParams } from 'react-router-dom';
import { PayoutsTab } from '../features/payouts/payouts-tab.tsx';
import { Analytics } from '../features/revenue/analytics.tsx';
import { RevenueOverview } from '../features/revenue/revenue-overview.tsx';
import { useIsAdmin, useIsBusiness } from '../layout/account.ts';
import { SellersOnly } from '../layout/sellers-only.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Tabs } from '../ui/tabs.tsx';

/** Pages of admins alone. */
const ADMIN_PAGES: ReadonlyArray<readonly [path: string, name: string]> = [
  ['/disputes', 'Disputes'],
  ['/contact-messages', 'Contact messages'],
  ['/moderation', 'Reports'],
  ['/reported-comments', 'Reported comments'],
  ['/admin/ads', 'Ads'],
  ['/admin/gallery', 'Photos'],
  ['/admin/top-picks', 'Videos'],
  ['/ops', 'Operations'],
];

const Customers = () => (
  <div className="grid justify-items-start gap-4">
    <p className="max-w-prose">Who bought tickets, what they paid, and what became of it.</p>
    <ButtonLink to="/customers">View Customers</ButtonLink>
  </div>
);

const TABS = [
  { value: 'revenue', label: 'Revenue Overview', content: <RevenueOverview /> },
  { value: 'payouts', label: 'Payouts & Banking', content: <PayoutsTab /> },
  { value: 'customers', label: 'Customers', content: <Customers /> },
  { value: 'analytics', label: 'Analytics', content: <Analytics /> },
];

/** Revenue, customers and analytics: of the own events, to admins of the platform (docs/product.md#revenue). */
export function Component() {
  usePageTitle('Admin Revenue');
  return useIsBusiness() ? <Admin /> : <SellersOnly />;
}

function Admin() {
  const isAdmin = useIsAdmin();
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'revenue';
  const choose = (value: string) =>
    setParams(value === 'revenue' ? {} : { tab: value }, { replace: true, preventScrollReset: true });
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="grid gap-2">
        <h1 className="text-heading">Admin Revenue</h1>
        <p className="text-ink-soft">{isAdmin ? 'The whole platform.' : 'Your own events.'}</p>
        {isAdmin && (
          <nav aria-label="For admins" className="-mx-2 flex flex-wrap gap-1">
            {ADMIN_PAGES.map(([path, name]) => (
              <ButtonLink key={path} to={path} variant="quiet" className="px-2 underline underline-offset-4">
                {name}
              </ButtonLink>
            ))}
          </nav>
        )}
      </header>
      <Tabs label="Admin" value={tab} onValueChange={choose} tabs={TABS} />
    </div>
  );
}
