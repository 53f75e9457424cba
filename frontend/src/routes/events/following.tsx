import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EventCard } from '../../features/events/event-card.tsx';
import { FollowButton } from '../../features/organizer/follow-button.tsx';
import { Initial, nameless } from '../../features/organizer/organizer-name.tsx';
import { texts } from '../../features/organizer/pages.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { organizerPath } from '../../lib/events/event-facts.ts';
import { followingQuery } from '../../lib/events/event-queries.ts';
import { explain } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

/** Followed organizers and their next events. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('following'));
  const { data, error, isFetching, refetch } = useQuery(followingQuery());
  useStock((data?.upcoming ?? []).filter(({ hasTickets }) => hasTickets).map((event) => event.id));
  return (
    <Page title={t('following')} isRoomy>
      {data ? (
        data.organizers.length === 0 ? (
          <EmptyState title={t('nobody')} action={<ButtonLink to="/">{t('seeWhatIsOn')}</ButtonLink>}>
            {t('nobodyWhy')}
          </EmptyState>
        ) : (
          <>
            <section aria-labelledby="next-title">
              <h2 id="next-title" className="mb-4 text-title">
                {t('comingUp')}
              </h2>
              {data.upcoming.length === 0 ? (
                <p className="text-ink-soft">{t('noneAnnounced')}</p>
              ) : (
                <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3">
                  {data.upcoming.map((event) => (
                    <li key={event.id}>
                      <EventCard event={event} />
                    </li>
                  ))}
                </ul>
              )}
            </section>
            <section aria-labelledby="organizers-title">
              <h2 id="organizers-title" className="mb-4 text-title">
                {t('organizers')}
              </h2>
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 xl:grid-cols-3">
                {data.organizers.map((organizer) => (
                  <li key={organizer.id} className="flex items-center gap-3 rounded-lg border border-line p-3">
                    <Initial name={organizer.name} className="size-11 text-title" />
                    <Link
                      to={organizerPath(organizer.id)}
                      className="min-w-0 flex-1 wrap-anywhere font-strong underline-offset-4 hover:underline"
                    >
                      <bdi>{organizer.name ?? nameless()}</bdi>
                    </Link>
                    <FollowButton organizer={organizer} />
                  </li>
                ))}
              </ul>
            </section>
          </>
        )
      ) : error ? (
        <ErrorState
          title={t('followingFailed')}
          message={explain(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <Loading label={t('followingLoading')}>
          <Skeleton className="h-72 rounded-lg" />
        </Loading>
      )}
    </Page>
  );
}
