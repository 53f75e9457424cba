import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatPrice } from '../../lib/i18n/format.ts';
import { Meta } from '../../ui/meta.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { customerTotalsQuery } from './api.ts';
import { texts } from './texts.en.ts';

/** The sums over all orders that are paid and not refunded. */
export function CustomerTotals() {
  const t = useTexts(texts);
  const { data, isError } = useQuery(customerTotalsQuery());
  const of = (figure: string | undefined) => figure ?? (isError ? null : undefined);
  return (
    <div className="grid gap-3">
      <StatCards
        cards={[
          [t('uniqueBuyers'), of(data && formatCount(data.uniqueBuyers))],
          [t('totalRevenue'), of(data && formatPrice(data.totalRevenue))],
          [t('totalTickets'), of(data && formatCount(data.totalTickets))],
          [t('averageOrder'), of(data && formatPrice(data.averageOrderValue))],
        ]}
      />
      <Meta role={isError ? 'status' : undefined} className="max-w-prose">
        {isError && !data ? t('sumsNotLoaded') : t('overAll')}
      </Meta>
    </div>
  );
}
