import { cx } from './cx.ts';
import { Skeleton } from './states.tsx';

interface StatCardsProps {
  /** Figures by name; undefined while loading, null when unavailable. */
  cards: ReadonlyArray<readonly [name: string, figure: string | null | undefined]>;
  /** Narrow cards, of which five fit side by side on a text page. */
  narrow?: boolean;
}

/** Shown for an unavailable figure. */
const UNKNOWN = '–';

/** Figures side by side, two on a phone. */
export const StatCards = ({ cards, narrow = false }: StatCardsProps) => (
  <dl
    className={cx(
      'grid grid-cols-2 gap-3 max-sm:[&>:last-child:nth-child(odd)]:col-span-2',
      narrow
        ? 'sm:grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))]'
        : 'sm:grid-cols-[repeat(auto-fit,minmax(10.25rem,1fr))]',
    )}
  >
    {cards.map(([name, figure]) => (
      <div key={name} className="flex flex-col justify-between rounded-md bg-sunken p-4">
        <dt className="text-note text-ink-soft">{name}</dt>
        <dd className="mt-1 text-title font-strong tabular">
          {figure === undefined ? <Skeleton className="h-6 w-24" /> : (figure ?? UNKNOWN)}
        </dd>
      </div>
    ))}
  </dl>
);
