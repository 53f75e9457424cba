import { BarChart } from '../../../ui/bar-chart.tsx';
import { useTexts, type TextsOf } from '../../../lib/i18n/catalog.ts';
import { formatCount, formatShort } from '../../../lib/i18n/format.ts';
import { texts } from './texts.en.ts';
import type { ViewersAt } from './viewers-over-time.ts';

const inWords = (t: TextsOf<typeof texts>, viewers: number | null): string =>
  viewers === null ? t('notLive') : t('viewersAt', { number: formatCount(viewers), count: viewers });

/** Viewers over time as a bar chart and as a table. */
export function ViewersChart({ spans }: { spans: readonly ViewersAt[] }) {
  const t = useTexts(texts);
  const most = Math.max(0, ...spans.map(({ viewers }) => viewers ?? 0));
  return (
    <BarChart
      isCount
      bars={spans.map(({ key, name, viewers }) => ({
        ...{ key, name, value: viewers ?? 0 },
        title: t('bar', { name, viewers: inWords(t, viewers) }),
      }))}
      label={t('viewersFromTo', {
        start: spans[0]?.name ?? '',
        end: spans.at(-1)?.name ?? '',
        most: formatCount(most),
      })}
      tick={formatShort}
    >
      <table className="w-full max-w-md border-collapse text-left tabular">
        <caption className="sr-only">{t('viewersTable')}</caption>
        <thead>
          <tr className="border-b border-line text-note text-ink-soft">
            <th scope="col" className="py-2 font-regular">
              {t('from')}
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-regular">
              {t('atMost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ key, name, viewers }) => (
            <tr key={key} className="border-b border-line">
              <th scope="row" className="py-2 font-regular">
                {name}
              </th>
              <td className="py-2 pl-3 text-right font-strong">
                {viewers === null ? t('notLiveCell') : formatCount(viewers)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </BarChart>
  );
}
