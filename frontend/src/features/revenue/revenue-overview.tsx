import type { PlatformRevenue } from '@beltway/contracts/payments/platform';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatPrice } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { Meta } from '../../ui/meta.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { moneyQuery, revenueQuery } from './api.ts';
import { periodsOf } from './periods.ts';
import { texts } from './texts.en.ts';

const SalesChart = lazily(async () => (await import('./sales-chart.tsx')).SalesChart);

/** Days in the chart below the figures. */
const DAYS = 30;

/** A section of the page with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 content-start gap-4">
    <h2 className="text-title">{title}</h2>
    {children}
  </section>
);

/** Revenue over time, or its skeleton or error. */
export function SalesOverTime({ days }: { days: number }) {
  const t = useTexts(texts);
  const money = useQuery(moneyQuery(days));
  if (money.isPending) return <Skeleton className="h-60" />;
  if (!money.data)
    return (
      <ErrorState
        title={t('salesNotLoaded')}
        message={explain(money.error)}
        onRetry={() => void money.refetch()}
        retrying={money.isFetching}
      />
    );
  return (
    <Suspense fallback={<Skeleton className="h-60" />}>
      <SalesChart periods={periodsOf(money.data.days)} />
    </Suspense>
  );
}

/** The revenue of ticket sales, and how it is shared. */
export function RevenueOverview() {
  const t = useTexts(texts);
  const revenue = useQuery(revenueQuery());
  if (revenue.isPending)
    return (
      <Loading label={t('loading')} className="grid gap-4">
        <Skeleton className="h-20" />
        <Skeleton className="h-60" />
      </Loading>
    );
  if (!revenue.data)
    return (
      <ErrorState
        title={t('notLoaded')}
        message={explain(revenue.error)}
        onRetry={() => void revenue.refetch()}
        retrying={revenue.isFetching}
      />
    );
  const { totalRevenue, totalTicketsSold, platformSales, monthlyRevenue, todayRevenue } = revenue.data;
  if (totalRevenue === 0 && totalTicketsSold === 0 && !platformSales)
    return <EmptyState title={t('noData')}>{t('noDataWhy')}</EmptyState>;
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        <StatCards
          cards={[
            [t('total'), formatPrice(totalRevenue)],
            [t('thisMonth'), formatPrice(monthlyRevenue)],
            [t('today'), formatPrice(todayRevenue)],
            [t('ticketsSold'), formatCount(totalTicketsSold)],
          ]}
        />
        <Meta className="max-w-prose">{t('whatPaid')}</Meta>
      </div>
      <Section title={t(`days${DAYS}`)}>
        <SalesOverTime days={DAYS} />
      </Section>
      <Shares {...revenue.data} />
    </div>
  );
}

/** How the revenue is shared. The shares come from the ledger, which rounds each payment. */
function Shares({ totalRevenue, platformFee, organizerShare, platformSales }: PlatformRevenue) {
  const t = useTexts(texts);
  const part = totalRevenue > 0 ? (platformFee / totalRevenue) * 100 : 0;
  return (
    <Section title={t('whose')}>
      {totalRevenue > 0 && (
        <div aria-hidden className="flex h-4 overflow-hidden rounded-full">
          <div className="bg-accent" style={{ width: `${part}%` }} />
          <div className="flex-1 bg-metro-green" />
        </div>
      )}
      <table className="w-full max-w-xl border-collapse text-left tabular">
        <caption className="sr-only">{t('whoseRevenue')}</caption>
        <tbody>
          {(
            [
              [t('platformFee'), platformFee, 'bg-accent'],
              [t('organizerShare'), organizerShare, 'bg-metro-green'],
            ] as const
          ).map(([name, dollars, color]) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-3 font-regular">
                <span className="flex items-center gap-2">
                  <span aria-hidden className={`size-3 rounded-full ${color}`} />
                  {name}
                </span>
              </th>
              <td className="py-3 text-right font-strong">{formatPrice(dollars)}</td>
            </tr>
          ))}
          {platformSales !== null && (
            <tr className="border-b border-line">
              <th scope="row" className="py-3 font-regular">
                {t('platformSales')}
              </th>
              <td className="py-3 text-right font-strong">{formatPrice(platformSales)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </Section>
  );
}
