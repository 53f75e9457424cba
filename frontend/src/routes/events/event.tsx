import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { AdminTools } from '../../features/event-page/admin-tools.tsx';
import { CanceledBanner, PostponedBanner } from '../../features/event-page/banners.tsx';
import { CalendarMenu } from '../../features/event-page/calendar-menu.tsx';
import { CommentsSection } from '../../features/thread/comments-section.tsx';
import { EventArticle } from '../../features/event-page/event-article.tsx';
import { COLUMNS, EventGrid } from '../../features/event-page/event-grid.tsx';
import { OtherDates } from '../../features/event-page/other-dates.tsx';
import { OwnerTools } from '../../features/event-page/owner-tools.tsx';
import { QuestionsLink } from '../../features/event-page/questions-link.tsx';
import { RefundPolicy } from '../../features/event-page/refund-policy.tsx';
import { SimilarEvents } from '../../features/event-page/similar-events.tsx';
import { texts } from '../../features/event-page/texts.en.ts';
import { TicketsBox } from '../../features/event-page/tickets-box.tsx';
import { EventControls } from '../../features/events/engagement/controls.tsx';
import { InterestPanel } from '../../features/events/engagement/interest-panel.tsx';
import { StreamSpace } from '../../features/live/stream-space.tsx';
import { OrganizerBox } from '../../features/organizer/organizer-box.tsx';
import { SharePanel } from '../../features/events/share-panel.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isUpcoming } from '../../lib/events/event-facts.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { useSession } from '../../lib/session/session.ts';
import { SuggestedEvents } from '../../lib/events/suggested-events.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const ChatSection = lazily(async () => (await import('../../features/chat/chat-section.tsx')).ChatSection);
const EventStream = lazily(async () => (await import('../../features/live/event-stream.tsx')).EventStream);
const DayForecast = lazily(async () => (await import('../../features/weather/day-forecast.tsx')).DayForecast);

export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useQuery({ ...eventQuery(id), enabled: isId });
  usePageTitle(found.data?.title ?? t('event'));
  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className="page grid gap-8 py-12">
        <EmptyState heading="h1" title={t('notFound')} action={<ButtonLink to="/">{t('seeWhatIsOn')}</ButtonLink>}>
          {t('notFoundWhy')}
        </EmptyState>
        <SuggestedEvents />
      </div>
    );
  // What is shown already stays when asking again fails.
  if (found.data) return <EventPage event={found.data} />;
  if (found.isError)
    return (
      <div className="page py-12">
        <ErrorState
          heading="h1"
          title={t('notLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  return (
    <Loading label={t('loading')} className={COLUMNS}>
      <div className="grid gap-5 md:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] md:items-center">
        <Skeleton className="aspect-[16/10] w-full rounded-lg" />
        <div className="grid gap-4">
          <Skeleton className="h-10 w-3/4" />
          <Skeleton className="h-24 w-2/3" />
        </div>
      </div>
      <Skeleton className="h-52 rounded-lg" />
    </Loading>
  );
}

function EventPage({ event }: { event: Event }) {
  const { user } = useSession();
  const now = useEventClock(event);
  useStock([event.id]);
  useCountedView(event.id);
  const location = useLocation() as ReturnType<typeof useLocation> & { state: { isLaunched?: boolean } | null };
  const navigate = useNavigate();
  const isCanceled = event.status === 'canceled';
  // Set by the launch dialog in the history entry: a reload shows the panel again, another visit does not.
  const isLaunched = location.state?.isLaunched === true && !isCanceled;
  const isOff = isCanceled || event.status === 'postponed';
  const hasStream = event.isLivestream && !isOff;
  const isLive = hasStream && event.livestreamStatus === 'live';
  const chat = (
    <Suspense fallback={<div className="h-[34rem]" />}>
      <ChatSection key={event.id} room={String(event.id)} />
    </Suspense>
  );
  return (
    <EventGrid
      top={
        (isOff || isLaunched || isLive) && (
          <>
            {isCanceled ? (
              <CanceledBanner event={event} />
            ) : isOff ? (
              <PostponedBanner event={event} />
            ) : (
              isLaunched && (
                <SharePanel event={event} onClose={() => void navigate('.', { replace: true, state: null })} />
              )
            )}
            {isLive && (
              <Suspense fallback={<StreamSpace event={event} />}>
                <EventStream key={event.id} event={event} chat={chat} />
              </Suspense>
            )}
          </>
        )
      }
      article={<EventArticle event={event} />}
      side={
        <>
          {user?.id === event.userId ? (
            <OwnerTools event={event} />
          ) : (
            user?.role === 'admin' && <AdminTools event={event} />
          )}
          <TicketsBox event={event} />
          <OtherDates event={event} />
          <EventControls event={event} labeled />
          <InterestPanel event={event} />
          <Suspense>
            <DayForecast event={event} />
          </Suspense>
          {isUpcoming(event, now) && <CalendarMenu event={event} />}
        </>
      }
    >
      <div className="grid min-w-0 gap-6 lg:gap-8">
        {hasStream && !isLive && (
          <Suspense fallback={<Skeleton className="aspect-video w-full rounded-lg" />}>
            <EventStream key={event.id} event={event} />
          </Suspense>
        )}
        <OrganizerBox event={event} />
        <RefundPolicy event={event} />
        {!isLive && chat}
        <QuestionsLink event={event} />
        <CommentsSection key={event.id} event={event} />
      </div>
      <SimilarEvents event={event} />
    </EventGrid>
  );
}

/** Tells the server that the page is looked at; it counts a visitor once a day. A page that is loaded ahead is not looked at yet. */
function useCountedView(eventId: number): void {
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', tell);
      navigator.sendBeacon(`/api/events/${eventId}/view`);
    };
    document.addEventListener('visibilitychange', tell);
    tell();
    return () => document.removeEventListener('visibilitychange', tell);
  }, [eventId]);
}
