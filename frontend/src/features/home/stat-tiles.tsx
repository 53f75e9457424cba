import { HomeStats } from '@beltway/contracts/catalog/stats';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { texts } from './texts.en.ts';

const TILES = [
  { of: 'activeUsers', hint: 'activeUsersHint' },
  { of: 'eventsToday', hint: 'eventsTodayHint' },
  { of: 'newVenues', hint: 'newVenuesHint' },
] as const;

/** Measured counts (frontend/PRODUCT.md#home). Unknown counts are hidden; if all are unknown, nothing is rendered. */
export function StatTiles() {
  const t = useTexts(texts);
  const { data } = useQuery(apiQuery(HomeStats, '/api/stats'));
  const tiles = data ? TILES.filter(({ of }) => data[of] !== null) : [];
  if (!data || tiles.length === 0) return null;
  return (
    // Beside the event tabs, if there is room.
    <section aria-label={t('inNumbers')} className="xl:-mb-13 xl:flex xl:min-h-9 xl:items-center xl:self-end">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {tiles.map(({ of, hint }) => (
          <div key={of} className="flex flex-row-reverse items-baseline gap-1.5">
            <dt className="text-note text-ink-soft">
              {t(of)} <span className="max-lg:sr-only">{t(hint)}</span>
            </dt>
            <dd className="tabular font-strong">{formatCount(data[of] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
