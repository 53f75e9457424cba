import { BarChart } from '../../lib/bar-chart.tsx';
import { formatCount, formatPrice, formatShort } from '../../lib/format.ts';
import { MoneyTable } from './money-table.tsx';
import type { Period } from './periods.ts';

/** Revenue over time as bars, and as a table. */
export function SalesChart({ periods }: { periods: readonly Period[] }) {
  const total = periods.reduce((sum, { revenue }) => sum + revenue, 0);
  return (
    <BarChart
      bars={periods.map(({ key, name, revenue, payments }) => ({
        ...{ key, name, value: revenue },
        title: `${name}: ${formatPrice(revenue)}, ${formatCount(payments)} paid`,
      }))}
      label={`Revenue from ${periods[0]?.name} to ${periods.at(-1)?.name}: ${formatPrice(total)} in all`}
      tick={(value) => `$${formatShort(value)}`}
    >
      <MoneyTable caption="Revenue as a table" by="Time" rows={periods} />
    </BarChart>
  );
}
