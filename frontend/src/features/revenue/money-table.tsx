import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatPrice } from '../../lib/i18n/format.ts';
import { texts } from './texts.en.ts';

interface Row {
  key: string | number;
  name: ReactNode;
  payments: number;
  /** Dollars. */
  revenue: number;
}

/** The number of payments and the revenue of each row: a period, an event or a product. */
export function MoneyTable({ caption, by, rows }: { caption: string; by: string; rows: readonly Row[] }) {
  const t = useTexts(texts);
  return (
    <table className="w-full border-collapse text-left tabular">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-note text-ink-soft">
          <th scope="col" className="py-2 font-regular">
            {by}
          </th>
          <th scope="col" className="py-2 pl-3 text-right font-regular">
            {t('payments')}
          </th>
          <th scope="col" className="py-2 pl-3 text-right font-regular">
            {t('revenue')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, payments, revenue }) => (
          <tr key={key} className="border-b border-line">
            <th scope="row" className="py-2 font-regular wrap-anywhere">
              {name}
            </th>
            <td className="py-2 pl-3 text-right">{formatCount(payments)}</td>
            <td className="py-2 pl-3 text-right font-strong">{formatPrice(revenue)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
