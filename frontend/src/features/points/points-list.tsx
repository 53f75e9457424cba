import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/catalogue.ts';
import { formatDate } from '../../lib/format.ts';
import { PagedList } from '../../lib/paged-list.tsx';
import { sayMessage } from '../../lib/said.ts';
import { pointsQuery } from './api.ts';
import { texts } from './texts.ts';

const gain = (points: number): string => `+${points}`;

/** Why one has one's points, counted last first. What is taken back stands here no more. */
export function PointsList({ userId }: { userId: number }) {
  const t = useTexts(texts);
  const found = useInfiniteQuery(pointsQuery(userId));
  return (
    <section aria-labelledby="points-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="points-title" className="text-title">
        {t('pointsTitle')}
      </h2>
      <p className="text-note text-ink-soft">{t('pointsWhy')}</p>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('pointsList')}
        skeleton={{ className: 'h-14', of: 'rows' }}
        empty={<p className="text-ink-soft">{t('noPoints')}</p>}
      >
        {(listed) => (
          <ul aria-label={t('pointsLabel')} className="grid divide-y divide-line">
            {listed.map(({ kind, points, reason, eventId, day, at, basis }, place) => (
              <li key={`${kind}-${eventId}-${at}-${place}`} className="flex items-baseline gap-4 py-2">
                <span className="tabular min-w-9 shrink-0 font-strong text-success-ink">{gain(points)}</span>
                <div className="min-w-0">
                  {eventId === null ? (
                    <span className="inline-flex min-h-11 items-center">{sayMessage(reason)}</span>
                  ) : (
                    <Link
                      to={`/event/${eventId}`}
                      className="inline-flex min-h-11 items-center underline-offset-4 [overflow-wrap:anywhere] hover:underline"
                    >
                      <span dir="auto">{sayMessage(reason)}</span>
                    </Link>
                  )}
                  <p className="text-note text-ink-soft">
                    {formatDate(day)}
                    {basis === 'ticket-held' && t('byTicket')}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}
