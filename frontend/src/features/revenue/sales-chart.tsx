import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useEffect, useRef, useState } from 'react';
import { formatCount, formatPrice, formatShort } from '../../lib/format.ts';
import { MoneyTable } from './money-table.tsx';
import type { Period } from './periods.ts';

const HEIGHT = 240;
const MARGIN = { top: 12, right: 24, bottom: 28, left: 52 };
/** Room for the name of a period, in pixels. */
const NAME_WIDTH = 64;
const text = { fill: 'var(--color-ink-soft)', fontFamily: 'var(--font-text)', fontSize: 13 };

/** The width that an element has, followed. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

/** Revenue over time as bars. What they show is said by the table below it, which the drawing is described by. */
export function SalesChart({ periods }: { periods: readonly Period[] }) {
  const [ref, width] = useWidth();
  const total = periods.reduce((sum, { revenue }) => sum + revenue, 0);
  const values = periods.map(({ revenue }) => revenue);
  const x = scaleBand({
    domain: periods.map(({ key }) => key),
    range: [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)],
    padding: 0.25,
  });
  // A day on which more went back than came is below the line.
  const y = scaleLinear({
    domain: [Math.min(0, ...values), Math.max(1, ...values)],
    range: [HEIGHT - MARGIN.bottom, MARGIN.top],
    nice: 4,
  });
  const every = Math.max(1, Math.ceil((periods.length * NAME_WIDTH) / Math.max(1, width - MARGIN.left)));
  const named = periods.filter((_, at) => (periods.length - 1 - at) % every === 0).map(({ key }) => key);
  const names = new Map(periods.map(({ key, name }) => [key, name]));
  return (
    <figure className="grid gap-2">
      <div ref={ref} className="min-w-0" style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={`Revenue from ${periods[0]?.name} to ${periods.at(-1)?.name}: ${formatPrice(total)} in all`}
          >
            {y.ticks(4).map((tick) => (
              <line
                key={tick}
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={y(tick)}
                y2={y(tick)}
                stroke={tick === 0 ? 'var(--color-edge)' : 'var(--color-line)'}
              />
            ))}
            {periods.map(({ key, name, revenue, payments }) => (
              <Bar
                key={key}
                x={x(key) ?? 0}
                width={x.bandwidth()}
                y={Math.min(y(0), y(revenue))}
                height={Math.abs(y(0) - y(revenue))}
                rx={Math.min(3, x.bandwidth() / 3)}
                fill={revenue < 0 ? 'var(--color-danger)' : 'var(--color-metro-blue)'}
              >
                <title>{`${name}: ${formatPrice(revenue)}, ${formatCount(payments)} paid`}</title>
              </Bar>
            ))}
            <AxisLeft
              scale={y}
              left={MARGIN.left}
              numTicks={4}
              hideAxisLine
              hideTicks
              tickFormat={(value) => `$${formatShort(Number(value))}`}
              tickLabelProps={{ ...text, textAnchor: 'end', dx: -6, dy: 4 }}
            />
            <AxisBottom
              scale={x}
              top={HEIGHT - MARGIN.bottom}
              tickValues={named}
              hideAxisLine
              hideTicks
              tickFormat={(key) => names.get(key) ?? ''}
              tickLabelProps={{ ...text, textAnchor: 'middle' }}
            />
          </svg>
        )}
      </div>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-note text-ink-soft hover:text-ink">
          The same as a table
        </summary>
        <MoneyTable caption="Revenue as a table" by="Time" rows={periods} />
      </details>
    </figure>
  );
}
