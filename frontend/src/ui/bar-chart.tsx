import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

const HEIGHT = 240;
const MARGIN = { top: 12, right: 24, bottom: 28, left: 52 };
/** Width reserved for a bar's name, in pixels. */
const NAME_WIDTH = 64;
const letters = { fill: 'var(--color-ink-soft)', fontFamily: 'var(--font-text)', fontSize: 13 };

/** Returns a ref and the current width of its element. */
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

interface BarChartProps {
  /** The bars from left to right. Names appear where they fit. */
  bars: ReadonlyArray<{ key: string; name: string; value: number; title: string }>;
  /** The chart in one sentence. */
  label: string;
  /** Formats a value of the scale. */
  tick: (value: number) => string;
  /** Whether values are counts, so that the scale has no fractions. */
  isCount?: boolean;
  /** The same data as a table, for screen readers. */
  children: ReactNode;
}

/** A bar chart of values over time, with the same data as a table. */
export function BarChart({ bars, label, tick, isCount = false, children }: BarChartProps) {
  const [ref, width] = useWidth();
  const values = bars.map(({ value }) => value);
  const x = scaleBand({
    domain: bars.map(({ key }) => key),
    range: [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)],
    padding: 0.25,
  });
  // Negative values, such as the revenue of a day with more refunds than sales, are below the axis.
  const y = scaleLinear({
    domain: [Math.min(0, ...values), Math.max(1, ...values)],
    range: [HEIGHT - MARGIN.bottom, MARGIN.top],
    nice: 4,
  });
  const ticks = y.ticks(4).filter((value) => !isCount || Number.isInteger(value));
  const every = Math.max(1, Math.ceil((bars.length * NAME_WIDTH) / Math.max(1, width - MARGIN.left)));
  const named = bars.filter((_, at) => (bars.length - 1 - at) % every === 0).map(({ key }) => key);
  const names = new Map(bars.map(({ key, name }) => [key, name]));
  return (
    <figure className="grid gap-2">
      <div ref={ref} className="min-w-0" style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={label}>
            {ticks.map((value) => (
              <line
                key={value}
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={y(value)}
                y2={y(value)}
                stroke={value === 0 ? 'var(--color-edge)' : 'var(--color-line)'}
              />
            ))}
            {bars.map(({ key, value, title }) => (
              <Bar
                key={key}
                x={x(key) ?? 0}
                width={x.bandwidth()}
                y={Math.min(y(0), y(value))}
                height={Math.abs(y(0) - y(value))}
                rx={Math.min(3, x.bandwidth() / 3)}
                fill={value < 0 ? 'var(--color-danger)' : 'var(--color-metro-blue)'}
              >
                <title>{title}</title>
              </Bar>
            ))}
            <AxisLeft
              scale={y}
              left={MARGIN.left}
              tickValues={ticks}
              hideAxisLine
              hideTicks
              tickFormat={(value) => tick(Number(value))}
              tickLabelProps={{ ...letters, textAnchor: 'end', dx: -6, dy: 4 }}
            />
            <AxisBottom
              scale={x}
              top={HEIGHT - MARGIN.bottom}
              tickValues={named}
              hideAxisLine
              hideTicks
              tickFormat={(key) => names.get(key) ?? ''}
              tickLabelProps={{ ...letters, textAnchor: 'middle' }}
            />
          </svg>
        )}
      </div>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-note text-ink-soft hover:text-ink">
          {textsNow(texts)('asTable')}
        </summary>
        {children}
      </details>
    </figure>
  );
}
