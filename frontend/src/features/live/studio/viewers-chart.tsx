import { BarChart } from '../../../lib/bar-chart.tsx';
import { formatCount, formatShort } from '../../../lib/format.ts';
import type { ViewersAt } from './viewers-over-time.ts';

const inWords = (viewers: number | null): string =>
  viewers === null ? 'not live' : viewers === 1 ? '1 viewer' : `${formatCount(viewers)} viewers`;

/** Viewers over time as bars, and as a table. */
export function ViewersChart({ spans }: { spans: readonly ViewersAt[] }) {
  const most = Math.max(0, ...spans.map(({ viewers }) => viewers ?? 0));
  return (
    <BarChart
      isCount
      bars={spans.map(({ key, name, viewers }) => ({
        ...{ key, name, value: viewers ?? 0 },
        title: `${name}: ${inWords(viewers)}`,
      }))}
      label={`Viewers from ${spans[0]?.name} to ${spans.at(-1)?.name}: ${formatCount(most)} at most`}
      tick={formatShort}
    >
      <table className="w-full max-w-md border-collapse text-left tabular">
        <caption className="sr-only">Viewers as a table</caption>
        <thead>
          <tr className="border-b border-line text-note text-ink-soft">
            <th scope="col" className="py-2 font-regular">
              From
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-regular">
              Viewers at most
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
                {viewers === null ? 'Not live' : formatCount(viewers)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </BarChart>
  );
}
