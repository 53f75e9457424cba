import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatDate } from '../../lib/format.ts';
import { PagedList } from '../../lib/paged-list.tsx';
import { pointsQuery } from './api.ts';

/** Why one has one's points, counted last first. What is taken back stands here no more. */
export function PointsList({ userId }: { userId: number }) {
  const found = useInfiniteQuery(pointsQuery(userId));
  return (
    <section aria-labelledby="points-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="points-title" className="text-title">
        Where your points come from
      </h2>
      <p className="text-note text-ink-soft">
        Only you see this list. What a refund, a cancellation or the removal of a photo takes back is not in it any
        more, and its points are not counted.
      </p>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what="points"
        skeleton={{ className: 'h-14', of: 'rows' }}
        empty={
          <p className="text-ink-soft">No points yet. They come when an event is over that you had a ticket for.</p>
        }
      >
        {(listed) => (
          <ul aria-label="Points" className="grid divide-y divide-line">
            {listed.map(({ kind, points, reason, eventId, day, at, basis }, place) => (
              <li key={`${kind}-${eventId}-${at}-${place}`} className="flex items-baseline gap-4 py-2">
                <span className="tabular min-w-9 shrink-0 font-strong text-success-ink">+{points}</span>
                <div className="min-w-0">
                  <Link
                    to={`/event/${eventId}`}
                    className="inline-flex min-h-11 items-center underline-offset-4 [overflow-wrap:anywhere] hover:underline"
                  >
                    <span dir="auto">{reason}</span>
                  </Link>
                  <p className="text-note text-ink-soft">
                    {formatDate(day)}
                    {basis === 'ticket-held' && ' · counted by the ticket that you kept'}
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
