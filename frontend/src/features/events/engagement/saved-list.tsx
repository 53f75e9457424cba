import { EventPage } from '@beltway/contracts/catalog/events';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { explain, get } from '../../../lib/http/http.ts';
import { useStock } from '../../../lib/realtime/realtime.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { EventCard } from '../event-card.tsx';
import { eventGrid } from '../event-grid.ts';
import { texts } from '../views.texts.en.ts';

type Part = 'upcoming' | 'past';

/** GET /api/me/bookmarks, page by page; refetched on each visit. */
const savedQuery = (userId: number, part: Part) =>
  infiniteQueryOptions({
    queryKey: ['/api/me/bookmarks', userId, part],
    queryFn: ({ pageParam, signal }) =>
      get(`/api/me/bookmarks?part=${part}${pageParam && `&cursor=${pageParam}`}`, EventPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

function useSaved(part: Part) {
  const { user } = useSession();
  const query = useInfiniteQuery({ ...savedQuery(user?.id ?? 0, part), enabled: user !== null });
  return { ...query, events: query.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/**
 * The saved events: upcoming events, and past events below. A card whose bookmark was removed stays until the next
 * visit.
 */
export function SavedEvents({ empty }: { empty: ReactNode }) {
  const t = useTexts(texts);
  const upcoming = useSaved('upcoming');
  const past = useSaved('past');
  useStock(upcoming.events.map(({ id }) => id));
  const parts = [
    { title: t('upcoming'), saved: upcoming },
    { title: t('past'), saved: past },
  ];
  if (parts.some(({ saved }) => saved.isPending))
    return (
      <Loading label={t('loadingSaved')} className={eventGrid}>
        {[1, 2, 3].map((at) => (
          <Skeleton key={at} className="h-96 rounded-lg" />
        ))}
      </Loading>
    );
  const failed = parts.filter(({ saved }) => saved.isLoadingError);
  if (failed.length > 0)
    return (
      <ErrorState
        title={t('savedNotLoaded')}
        message={explain(failed[0]!.saved.error)}
        onRetry={() => failed.forEach(({ saved }) => void saved.refetch())}
        retrying={failed.some(({ saved }) => saved.isFetching)}
      />
    );
  if (parts.every(({ saved }) => saved.events.length === 0)) return empty;
  return parts
    .filter(({ saved }) => saved.events.length > 0)
    .map(({ title, saved }) => (
      <section key={title} aria-label={title} className="grid grid-cols-1 gap-5">
        <h2 className="border-b border-line pb-2 text-title text-ink-soft">{title}</h2>
        <ul className={eventGrid}>
          {saved.events.map((event, at) => (
            <li key={event.id}>
              <EventCard event={event} priority={at === 0 && saved === upcoming} />
            </li>
          ))}
        </ul>
        {saved.hasNextPage && (
          <div className="grid justify-items-start gap-3">
            {saved.error && <p role="alert">{explain(saved.error)}</p>}
            <Button variant="secondary" pending={saved.isFetchingNextPage} onClick={() => void saved.fetchNextPage()}>
              {t('more')}
            </Button>
          </div>
        )}
      </section>
    ));
}
