import type { Organizer } from '@beltway/contracts/catalog/organizers';
import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Share2 from 'lucide-react/icons/share-2';
import { Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { EventCard } from '../../features/events/event-card.tsx';
import { Offer } from '../../features/events/offer.tsx';
import { FollowButton } from '../../features/organizer/follow-button.tsx';
import { organizerInFirstScreen } from '../../features/organizer/first-screen.ts';
import { nameless } from '../../features/organizer/organizer-name.tsx';
import { ORGANIZER_PAGE, OrganizerHeader, Upcoming } from '../../features/organizer/organizer-opening.tsx';
import { texts } from '../../features/organizer/pages.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { organizerEventsQuery, organizerQuery } from '../../lib/events/event-queries.ts';
import { EventTile } from '../../lib/events/event-tile.tsx';
import { formatCount } from '../../lib/i18n/format.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { Later, useInPieces } from '../../lib/events/later.tsx';
import { lazily } from '../../lib/loading/lazily.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ReportButton } from '../../lib/report/report-button.tsx';
import { useSession } from '../../lib/session/session.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { PageMessage } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';

const ProfileDialog = lazily(async () => (await import('../../features/organizer/profile-dialog.tsx')).ProfileDialog);

/** An organizer's page: profile, the next show in a large card, upcoming and past events. */
export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useQuery({
    ...organizerQuery(id),
    enabled: isId,
    placeholderData: () => organizerInFirstScreen(id)?.organizer,
  });
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
    <Loading label={t('pageLoading')} className={ORGANIZER_PAGE}>
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
  const { user } = useSession();
  const [isEditing, setEditing] = useDialogEntry('edit-page');
  const isOwn = user?.id === organizer.id;
  return (
    <div className={ORGANIZER_PAGE}>
      <OrganizerHeader
        organizer={organizer}
        actions={
          <>
            <FollowButton organizer={organizer} />
            <SharePage />
            {isOwn ? (
              <Button variant="secondary" aria-haspopup="dialog" onClick={() => setEditing(true)}>
                <Pencil aria-hidden className="size-4" />
                {t('editPage')}
              </Button>
            ) : (
              <ReportButton of={{ kind: 'account', id: organizer.id }} />
            )}
          </>
        }
      />
      <OwnEvents id={organizer.id} />
      <Suspense>
        {isOwn && isEditing && <ProfileDialog organizer={organizer} onClose={() => setEditing(false)} />}
      </Suspense>
    </div>
  );
}

/** Copies the page's URL. */
function SharePage() {
  const t = useTexts(texts);
  const copy = async () => {
    const url = `${window.location.origin}${window.location.pathname}`;
    const copied = await copyText(url);
    toast({ title: copied ? t('linkCopied') : t('copyByHand', { url }), variant: copied ? 'default' : 'destructive' });
  };
  return (
    <Button variant="secondary" onClick={() => void copy()}>
      <Share2 aria-hidden className="size-4" />
      {t('share')}
    </Button>
  );
}

function OwnEvents({ id }: { id: number }) {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useQuery({
    ...organizerEventsQuery(id),
    placeholderData: () => organizerInFirstScreen(id)?.events,
  });
  const inPieces = useInPieces();
  useStock((data?.upcoming ?? []).filter(({ hasTickets }) => hasTickets).map((event) => event.id));
  const [next, ...later] = data?.upcoming ?? [];
  if (data)
    return (
      <>
        <Upcoming event={next} offer={next && <Offer event={next} />}>
          {later.length > 0 && (
            <Later inPieces={inPieces}>
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3">
                {later.map((event) => (
                  <li key={event.id}>
                    <EventCard event={event} />
                  </li>
                ))}
              </ul>
            </Later>
          )}
          <Rest shown={data.upcoming.length} all={data.upcomingCount} which="nextOf" />
        </Upcoming>
        {data.past.length > 0 && (
          <Later inPieces={inPieces}>
            <Later inPieces={inPieces}>
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
            </Later>
          </Later>
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

/** Notes that a list is incomplete. */
function Rest({ shown, all, which }: { shown: number; all: number; which: 'nextOf' | 'latestOf' }) {
  const t = useTexts(texts);
  if (shown >= all) return null;
  return <Meta className="tabular mt-4">{t(which, { shown: formatCount(shown), all: formatCount(all) })}</Meta>;
}
