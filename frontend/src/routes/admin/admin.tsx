import { Link, useSearchParams } from 'react-router-dom';
import { PayoutsTab } from '../../features/payouts/payouts-tab.tsx';
import { Analytics } from '../../features/revenue/analytics.tsx';
import { RevenueOverview } from '../../features/revenue/revenue-overview.tsx';
import { texts } from '../../features/revenue/texts.en.ts';
import { useIsAdmin, useIsBusiness } from '../../layout/account.ts';
import { SellersOnly } from '../../layout/sellers-only.tsx';
import { useWaiting, waitingText, type Queue } from '../../layout/use-waiting.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** The queues of the inbox, in this order. */
const QUEUES = [
  '/moderation',
  '/reported-comments',
  '/admin/gallery',
  '/admin/top-picks',
  '/admin/ads',
  '/contact-messages',
  '/disputes',
] as const satisfies readonly Queue[];

/** Separates a queue's name and number for screen readers. */
const SPACE = ' ';

/** Further admin pages, grouped by topic. */
const GROUPS = [
  { name: 'people', pages: ['/customers', '/admin/referrals'] },
  { name: 'operations', pages: ['/ops'] },
] as const;

/** The admins' queues, each with the number of waiting items. */
function Inbox() {
  const t = useTexts(texts);
  const waiting = useWaiting();
  return (
    <section aria-labelledby="inbox-title" className="grid gap-3">
      <h2 id="inbox-title" className="text-title">
        {t('inbox')}
      </h2>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7">
        {QUEUES.map((path) => {
          const queue = waiting[path];
          return (
            <li key={path} className="grid">
              <Link
                to={path}
                className={cx(
                  'grid min-h-24 content-between rounded-md border p-4 hover:border-ink',
                  queue && queue.count > 0 ? 'border-accent-ink bg-accent-soft' : 'border-line bg-surface',
                )}
              >
                <span className="font-strong">{t(path).concat(SPACE)}</span>
                {queue === undefined ? (
                  <Skeleton className="h-6 w-10" />
                ) : queue.count === 0 ? (
                  <Meta as="span">{t('nothingWaits')}</Meta>
                ) : (
                  <span className="text-title font-strong tabular">
                    {t.rich('waits', {
                      count: waitingText(queue),
                      hidden: (words) => <span className="sr-only">{words}</span>,
                    })}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Links to all admin pages: the inbox, people and operations. The figures about money follow below. */
function ForAdmins() {
  const t = useTexts(texts);
  return (
    <nav aria-label={t('forAdmins')} className="grid gap-6">
      <Inbox />
      <div className="flex flex-wrap gap-x-12 gap-y-4">
        {GROUPS.map(({ name, pages }) => (
          <section key={name} aria-labelledby={`${name}-title`}>
            <h2 id={`${name}-title`} className="text-title">
              {t(name)}
            </h2>
            <div className="-mx-2 flex flex-wrap gap-1">
              {pages.map((path) => (
                <ButtonLink key={path} to={path} variant="quiet" className="px-2 underline underline-offset-4">
                  {t(path)}
                </ButtonLink>
              ))}
            </div>
          </section>
        ))}
      </div>
    </nav>
  );
}

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

/**
 * Revenue, customers and analytics of the account's events, or of the platform for admins
 * (services/payments/PRODUCT.md#revenue).
 */
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
      </header>
      {isAdmin && <ForAdmins />}
      {isAdmin && <h2 className="text-title">{t('money')}</h2>}
      <Tabs
        label={t('admin')}
        value={tab}
        onValueChange={choose}
        tabs={TABS.map((one) => ({ ...one, label: t(one.label) }))}
      />
    </div>
  );
}
