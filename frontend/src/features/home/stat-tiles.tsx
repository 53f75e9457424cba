import { HomeStats } from '@beltway/contracts/stats';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../lib/format.ts';
import { apiQuery } from '../../lib/query.ts';

const TILES = [
  { of: 'activeUsers', label: 'active users', hint: 'signed in within 30 days' },
  { of: 'eventsToday', label: 'events today', hint: 'around the region' },
  { of: 'newVenues', label: 'new venues', hint: 'first event announced within 30 days' },
] as const;

/** Real counts (docs/product.md#home). What is not known is left out; without any answer there are no tiles. */
export function StatTiles() {
  const { data } = useQuery(apiQuery(HomeStats, '/api/stats'));
  const tiles = data ? TILES.filter(({ of }) => data[of] !== null) : [];
  if (!data || tiles.length === 0) return null;
  return (
    <section aria-label="Beltway in numbers">
      <dl className="grid auto-cols-fr grid-flow-col gap-3 max-[15rem]:grid-flow-row">
        {tiles.map(({ of, label, hint }) => (
          <div key={of} className="flex flex-col-reverse rounded-lg border border-line bg-surface p-3 md:p-4">
            <dt className="text-note font-strong">
              {label}
              <span className="block font-regular text-ink-soft max-md:sr-only">{hint}</span>
            </dt>
            <dd className="tabular font-display text-heading font-strong">{formatCount(data[of] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
