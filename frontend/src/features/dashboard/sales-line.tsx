import type { DayRevenue } from '@beltway/contracts/payments/platform';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDay, formatPrice } from '../../lib/i18n/format.ts';
import { useClock } from '../../lib/time/clock.ts';
import { salesDaysQuery } from './api.ts';
import { texts } from './texts.en.ts';

const HEIGHT = 48;
const STEP = 20;

/** The points of the line, from left to right; days with more refunds than sales are below zero. */
export function pointsOf(days: readonly DayRevenue[]): string {
  const values = days.map(({ revenue }) => revenue);
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  return values
    .map((value, at) => `${at * STEP},${Math.round(HEIGHT - ((value - least) / (most - least)) * HEIGHT)}`)
    .join(' ');
}

/** Ticket sales of the last two weeks as a line; renders nothing if there are none. */
export function SalesLine() {
  const t = useTexts(texts);
  const now = useClock();
  const days = useQuery(salesDaysQuery()).data?.days ?? [];
  if (days.every(({ payments, revenue }) => payments === 0 && revenue === 0)) return null;
  const total = days.reduce((sum, { revenue }) => sum + Math.round(revenue * 100), 0) / 100;
  return (
    <figure className="grid gap-2 rounded-md bg-sunken p-4">
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-note">
        <span className="text-ink-soft">{t('lastDays', { count: String(days.length) })}</span>
        <span className="font-strong tabular">{formatPrice(total)}</span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`-2 -2 ${(days.length - 1) * STEP + 4} ${HEIGHT + 4}`}
        preserveAspectRatio="none"
        className="h-14 w-full overflow-visible"
      >
        <polyline
          points={pointsOf(days)}
          fill="none"
          stroke="var(--color-metro-blue)"
          strokeWidth={2.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <table className="sr-only">
        <caption>{t('salesByDay')}</caption>
        <tbody>
          {days.map(({ day, revenue }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day, now)}</th>
              <td>{formatPrice(revenue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
