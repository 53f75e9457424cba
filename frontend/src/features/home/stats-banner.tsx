import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ticketStatsQuery } from '../../lib/events/event-queries.ts';
import { formatCount, formatPrice } from '../../lib/i18n/format.ts';
import { texts } from './texts.en.ts';

/** Measured sales, polled every 30 seconds; hidden while loading, without data, or before the first sale. */
export function StatsBanner() {
  const t = useTexts(texts);
  const { data } = useQuery(ticketStatsQuery());
  if (!data || data.totalTicketsSold === 0) return null;
  return (
    <section
      aria-label={t('salesSoFar')}
      className="inset-x-0 top-0 z-10 [.relative>&]:absolute animate-fade border-b border-line bg-sunken"
    >
      <dl className="page tabular flex flex-wrap gap-x-4 gap-y-0.5 py-1.5 text-note md:gap-x-8">
        <Figure label={t('ticketsSold')} value={formatCount(data.totalTicketsSold)} />
        <Figure label={t.rich('inSales', { wide })} value={formatPrice(data.totalRevenue)} />
        <Figure label={t.rich('events', { count: data.totalEvents, wide })} value={formatCount(data.totalEvents)} />
      </dl>
    </section>
  );
}

const wide = (words: ReactNode) => <span className="max-md:sr-only">{words}</span>;

const Figure = ({ label, value }: { label: ReactNode; value: string }) => (
  <div className="flex flex-row-reverse items-baseline gap-1.5">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="font-strong">{value}</dd>
  </div>
);
