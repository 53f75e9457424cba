import { BarChart } from '../../ui/bar-chart.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatPrice, formatShort } from '../../lib/i18n/format.ts';
import { MoneyTable } from './money-table.tsx';
import type { Period } from './periods.ts';
import { texts } from './texts.en.ts';

/** Revenue over time as a bar chart and as a table. */
export function SalesChart({ periods }: { periods: readonly Period[] }) {
  const t = useTexts(texts);
  const total = periods.reduce((sum, { revenue }) => sum + revenue, 0);
  return (
    <BarChart
      bars={periods.map(({ key, name, revenue, payments }) => ({
        ...{ key, name, value: revenue },
        title: t('barTitle', { name, revenue: formatPrice(revenue), count: formatCount(payments) }),
      }))}
      label={t('chart', { from: periods[0]?.name ?? '', to: periods.at(-1)?.name ?? '', total: formatPrice(total) })}
      tick={(value) => `$${formatShort(value)}`}
    >
      <MoneyTable caption={t('asTable')} by={t('time')} rows={periods} />
    </BarChart>
  );
}
