import { useQuery } from '@tanstack/react-query';
import { formatCount, formatPrice } from '../../lib/format.ts';
import { StatCards } from '../../ui/stat-cards.tsx';
import { customerTotalsQuery } from './api.ts';

/** Over all purchases whose money stands. */
export function CustomerTotals() {
  const { data, isError } = useQuery(customerTotalsQuery());
  const of = (figure: string | undefined) => figure ?? (isError ? null : undefined);
  return (
    <div className="grid gap-3">
      <StatCards
        cards={[
          ['Unique buyers', of(data && formatCount(data.uniqueBuyers))],
          ['Total revenue', of(data && formatPrice(data.totalRevenue))],
          ['Total tickets', of(data && formatCount(data.totalTickets))],
          ['Average order value', of(data && formatPrice(data.averageOrderValue))],
        ]}
      />
      <p role={isError ? 'status' : undefined} className="max-w-prose text-note text-ink-soft">
        {isError && !data
          ? 'The sums could not be loaded. They are asked for again every half minute.'
          : 'Over all purchases that are paid and not refunded, whatever the list below shows.'}
      </p>
    </div>
  );
}
