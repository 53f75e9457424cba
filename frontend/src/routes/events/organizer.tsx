import type { Organizer } from '@beltway/contracts/catalog/organizers';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { EventCard } from '../../features/events/event-card.tsx';
import { FollowButton } from '../../features/organizer/follow-button.tsx';
import { followersText, Initial, nameless } from '../../features/organizer/organizer-name.tsx';
import { texts } from '../../features/organizer/pages.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { organizerEventsQuery, organizerQuery } from '../../lib/events/event-queries.ts';
import { EventTile } from '../../lib/events/event-tile.tsx';
import { formatCount } from '../../lib/i18n/format.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { PageMessage } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const shape = 'page grid grid-cols-[minmax(0,1fr)] gap-8 py-6 lg:gap-10 lg:py-10';

/** An organizer: who they are, what comes, and what was. */
export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useQuery({ ...organizerQuery(id), enabled: isId });
  usePageTitle(found.data ? (found.data.name ?? nameless()) : t('organizerPage'));
  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <PageMessage>
        <EmptyState heading="h1" title={t('notFound')} action={<ButtonLink to="/">{t('seeWhatIsOn')}</ButtonLink>}>
          {t('notFoundWhy')}
        </EmptyState>
      </PageMessage>
    );
  if (found.data) return <OrganizerPage organizer={found.data} />;
  if (found.isError)
    return (
      <PageMessage>
        <ErrorState
          heading="h1"
          title={t('pageFailed')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </PageMessage>
    );
  return (
    <Loading label={t('pageLoading')} className={shape}>
      <div className="flex items-center gap-4">
        <Skeleton className="size-16 rounded-full" />
        <Skeleton className="h-10 w-64 max-w-full" />
      </div>
      <Skeleton className="h-72 rounded-lg" />
    </Loading>
  );
}

function OrganizerPage({ organizer }: { organizer: Organizer }) {
  const t = useTexts(texts);
  return (
    <div className={shape}>
      <header className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <Initial name={organizer.name} className="size-16 text-heading" />
        <div className="min-w-0 flex-1 basis-60">
          <Meta>{t('organizer')}</Meta>
          <h1 className="wrap-anywhere text-heading">
            <bdi>{organizer.name ?? nameless()}</bdi>
          </h1>
          <p className="tabular text-ink-soft">{followersText(organizer.followers)}</p>
        </div>
        <FollowButton organizer={organizer} />
      </header>
      <OwnEvents id={organizer.id} />
    </div>
  );
}

function OwnEvents({ id }: { id: number }) {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useQuery(organizerEventsQuery(id));
  useStock((data?.upcoming ?? []).filter(({ hasTickets }) => hasTickets).map((event) => event.id));
  if (data)
    return (
      <>
        <section aria-labelledby="upcoming-title">
          <h2 id="upcoming-title" className="mb-4 text-title">
            {t('upcoming')}
          </h2>
          {data.upcoming.length === 0 ? (
            <p className="text-ink-soft">{t('nothingNow')}</p>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3">
              {data.upcoming.map((event) => (
                <li key={event.id}>
                  <EventCard event={event} />
                </li>
              ))}
            </ul>
          )}
          <Rest shown={data.upcoming.length} all={data.upcomingCount} which="nextOf" />
        </section>
        {data.past.length > 0 && (
          <section aria-labelledby="past-title">
            <h2 id="past-title" className="mb-4 text-title">
              {t('past')}
            </h2>
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 xl:grid-cols-3">
              {data.past.map((event) => (
                <li key={event.id}>
                  <EventTile event={event} className="h-full" />
                </li>
              ))}
            </ul>
            <Rest shown={data.past.length} all={data.pastCount} which="latestOf" />
          </section>
        )}
      </>
    );
  if (error)
    return (
      <ErrorState
        title={t('eventsFailed')}
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  return (
    <Loading label={t('eventsLoading')}>
      <Skeleton className="h-72 rounded-lg" />
    </Loading>
  );
}

/** Says so where a list is not all there is. */
function Rest({ shown, all, which }: { shown: number; all: number; which: 'nextOf' | 'latestOf' }) {
  const t = useTexts(texts);
  if (shown >= all) return null;
  return <Meta className="tabular mt-4">{t(which, { shown: formatCount(shown), all: formatCount(all) })}</Meta>;
}
