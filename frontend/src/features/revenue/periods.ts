import type { DayRevenue } from '@beltway/contracts/payments/platform';
import { locale, perLanguage } from '../../lib/i18n/language.ts';

/** The sales of a day or month, for the chart. */
export interface Period {
  /** "2026-11-30" or "2026-11" */
  key: string;
  /** "Nov 30" or "Nov 2026" */
  name: string;
  revenue: number;
  payments: number;
}

const day = perLanguage(() => new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', month: 'short', day: 'numeric' }));
const month = perLanguage(
  () => new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', month: 'short', year: 'numeric' }),
);

/** A chart of more days shows months. */
const MAX_DAYS = 92;

/** One period per day, or per month for more than `MAX_DAYS` days. */
export function periodsOf(days: readonly DayRevenue[]): Period[] {
  const byMonth = days.length > MAX_DAYS;
  const periods = new Map<string, Period>();
  for (const { day: date, revenue, payments } of days) {
    const key = byMonth ? date.slice(0, 7) : date;
    const period = periods.get(key) ?? {
      ...{ key, revenue: 0, payments: 0 },
      name: (byMonth ? month : day)().format(new Date(`${date}T00:00:00Z`)),
    };
    // Summed in cents, to avoid rounding errors.
    period.revenue = Math.round(period.revenue * 100 + revenue * 100) / 100;
    period.payments += payments;
    periods.set(key, period);
  }
  return [...periods.values()];
}
