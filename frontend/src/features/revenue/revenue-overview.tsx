import type { PlatformRevenue } from '@beltway/contracts/platform';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { formatCount, formatPrice } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { lazily } from '../../lib/lazily.ts';
import { StatCards } from '../../ui/stat-cards.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { moneyQuery, revenueQuery } from './api.ts';
import { periodsOf } from './periods.ts';

const SalesChart = lazily(async () => (await import('./sales-chart.tsx')).SalesChart);

/** Days of the chart below the figures. */
const DAYS = 30;

/** A part of a page with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 content-start gap-4">
    <h2 className="text-title">{title}</h2>
    {children}
  </section>
);

/** Revenue over time, with its skeleton and fault. */
export function SalesOverTime({ days }: { days: number }) {
  const money = useQuery(moneyQuery(days));
  if (money.isPending) return <Skeleton className="h-60" />;
  if (!money.data)
    return (
      <ErrorState
        title="The sales could not be loaded"
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

/** What ticket sales took, and whose it is. */
export function RevenueOverview() {
  const revenue = useQuery(revenueQuery());
  if (revenue.isPending)
    return (
      <Loading label="The revenue is loading" className="grid gap-4">
        <Skeleton className="h-20" />
        <Skeleton className="h-60" />
      </Loading>
    );
  if (!revenue.data)
    return (
      <ErrorState
        title="The revenue could not be loaded"
        message={explain(revenue.error)}
        onRetry={() => void revenue.refetch()}
        retrying={revenue.isFetching}
      />
    );
  const { totalRevenue, totalTicketsSold, platformSales, monthlyRevenue, todayRevenue } = revenue.data;
  if (totalRevenue === 0 && totalTicketsSold === 0 && !platformSales)
    return <EmptyState title="No revenue data available">Sales show here as they happen.</EmptyState>;
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        <StatCards
          cards={[
            ['Total revenue', formatPrice(totalRevenue)],
            ['This month', formatPrice(monthlyRevenue)],
            ['Today', formatPrice(todayRevenue)],
            ['Tickets sold', formatCount(totalTicketsSold)],
          ]}
        />
        <p className="max-w-prose text-note text-ink-soft">
          What buyers paid for tickets. What went back is taken off on the day it went back; days and months are New
          York’s.
        </p>
      </div>
      <Section title={`The last ${DAYS} days`}>
        <SalesOverTime days={DAYS} />
      </Section>
      <Shares {...revenue.data} />
    </div>
  );
}

/** Whose the revenue is. The parts are the ledger's, rounded payment by payment. */
function Shares({ totalRevenue, platformFee, organizerShare, platformSales }: PlatformRevenue) {
  const part = totalRevenue > 0 ? (platformFee / totalRevenue) * 100 : 0;
  return (
    <Section title="Whose it is">
      {totalRevenue > 0 && (
        <div aria-hidden className="flex h-4 overflow-hidden rounded-full">
          <div className="bg-accent" style={{ width: `${part}%` }} />
          <div className="flex-1 bg-metro-green" />
        </div>
      )}
      <table className="w-full max-w-xl border-collapse text-left tabular">
        <caption className="sr-only">Whose the revenue is</caption>
        <tbody>
          {(
            [
              ['Platform fee (5%)', platformFee, 'bg-accent'],
              ['Organizer share (95%)', organizerShare, 'bg-metro-green'],
            ] as const
          ).map(([name, dollars, colour]) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-3 font-regular">
                <span className="flex items-center gap-2">
                  <span aria-hidden className={`size-3 rounded-full ${colour}`} />
                  {name}
                </span>
              </th>
              <td className="py-3 text-right font-strong">{formatPrice(dollars)}</td>
            </tr>
          ))}
          {platformSales !== null && (
            <tr className="border-b border-line">
              <th scope="row" className="py-3 font-regular">
                Promotions, livestreams and ads, which are the platform’s own
              </th>
              <td className="py-3 text-right font-strong">{formatPrice(platformSales)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </Section>
  );
}
