import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import Share2 from 'lucide-react/icons/share-2';
import { Suspense, useEffect } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { AdminTools } from '../../features/event-page/admin-tools.tsx';
import { CanceledBanner, PostponedBanner, SuspendedBanner } from '../../features/event-page/banners.tsx';
import { CalendarMenu } from '../../features/event-page/calendar-menu.tsx';
import { CommentsSection } from '../../features/thread/comments-section.tsx';
import { EventArticle } from '../../features/event-page/event-article.tsx';
import { COLUMNS, EventGrid } from '../../features/event-page/event-grid.tsx';
import { MapStrip } from '../../features/event-page/map-strip.tsx';
import { OtherDates } from '../../features/event-page/other-dates.tsx';
import { OwnerTools } from '../../features/event-page/owner-tools.tsx';
import { RefundPolicy } from '../../features/event-page/refund-policy.tsx';
import { SimilarEvents } from '../../features/event-page/similar-events.tsx';
import { texts as ownerTexts } from '../../features/event-page/owner.texts.en.ts';
import { texts } from '../../features/event-page/texts.en.ts';
import { TalkTabs } from '../../features/event-page/talk-tabs.tsx';
import { TicketsBox } from '../../features/event-page/tickets-box.tsx';
import { InterestPanel } from '../../features/events/engagement/interest-panel.tsx';
import { PageControls } from '../../features/events/engagement/page-controls.tsx';
import { StreamSpace } from '../../features/live/stream-space.tsx';
import { OrganizerBox } from '../../features/organizer/organizer-box.tsx';
import { ShareMenu } from '../../features/events/share-menu.tsx';
import { SharePanel } from '../../features/events/share-panel.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isSuspended, isUpcoming, saleState } from '../../lib/events/event-facts.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { Later, useInPieces } from '../../lib/events/later.tsx';
import { lazily } from '../../lib/loading/lazily.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ReportButton } from '../../lib/report/report-button.tsx';
import { useStock } from '../../lib/realtime/realtime.ts';
import { useSession } from '../../lib/session/session.ts';
import { SuggestedEvents } from '../../lib/events/suggested-events.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const ChatSection = lazily(async () => (await import('../../features/chat/chat-section.tsx')).ChatSection);
const EventQuestions = lazily(async () => (await import('../../features/thread/event-questions.tsx')).EventQuestions);
const LaunchChecklist = lazily(
  async () => (await import('../../features/event-page/launch-checklist.tsx')).LaunchChecklist,
);
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
  // A failed refetch does not replace the page.
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
      <div className="grid gap-5">
        <Skeleton className="aspect-[16/10] w-full rounded-lg md:aspect-[2/1]" />
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
  const inPieces = useInPieces();
  const location = useLocation() as ReturnType<typeof useLocation> & { state: { isLaunched?: boolean } | null };
  const navigate = useNavigate();
  const isOwner = user?.id === event.userId;
  const isCanceled = event.status === 'canceled';
  // The launch dialog sets `isLaunched` in the history entry, so a reload shows the panel again but a new visit does
  // not.
  const isLaunched = location.state?.isLaunched === true && !isCanceled;
  const isOff = isCanceled || event.status === 'postponed';
  const isHeldBack = isSuspended(event) && !isCanceled;
  const isGone = saleState(event, now) === 'sold-out';
  const hasStream = event.isLivestream && !isOff && !isHeldBack;
  const isLive = hasStream && event.livestreamStatus === 'live';
  const chat = (
    <Suspense fallback={<div className="h-[34rem]" />}>
      <ChatSection key={event.id} room={String(event.id)} />
    </Suspense>
  );
  return (
    <EventGrid
      top={
        (isOff || isHeldBack || isLaunched || isLive) && (
          <>
            {isHeldBack && <SuspendedBanner event={event} />}
            {isCanceled ? (
              <CanceledBanner event={event} />
            ) : isOff ? (
              <PostponedBanner event={event} />
            ) : (
              isLaunched && (
                <>
                  <SharePanel event={event} onClose={() => void navigate('.', { replace: true, state: null })} />
                  {isOwner && (
                    <Suspense>
                      <LaunchChecklist event={event} />
                    </Suspense>
                  )}
                </>
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
      article={
        <EventArticle
          event={event}
          actions={
            <>
              <PageControls event={event} />
              {isUpcoming(event, now) && <CalendarMenu event={event} />}
            </>
          }
        />
      }
      side={
        <>
          {isOwner ? (
            <OwnerTools event={event} share={<OwnerShare event={event} />} />
          ) : (
            user?.role === 'admin' && <AdminTools event={event} />
          )}
          <TicketsBox event={event} />
          {isGone && <SuggestedEvents insteadOf={event} isNarrow />}
          <Later inPieces={inPieces}>
            <InterestPanel event={event} />
            <OtherDates event={event} />
            <Suspense>
              <DayForecast event={event} />
            </Suspense>
            <OrganizerBox event={event} />
          </Later>
        </>
      }
    >
      <Later inPieces={inPieces}>
        <Later inPieces={inPieces}>
          <div className="grid min-w-0 gap-6 lg:gap-8">
            {hasStream && !isLive && (
              <Suspense fallback={<Skeleton className="aspect-video w-full rounded-lg" />}>
                <EventStream key={event.id} event={event} />
              </Suspense>
            )}
            <MapStrip event={event} />
            <RefundPolicy event={event} />
            <TalkTabs
              key={event.id}
              event={event}
              comments={<CommentsSection event={event} />}
              questions={
                <Suspense fallback={<Skeleton className="h-36 rounded-lg" />}>
                  <EventQuestions event={event} />
                </Suspense>
              }
              chat={isLive ? null : chat}
            />
            {!isOwner && !isHeldBack && (
              <p>
                <ReportButton of={{ kind: 'event', id: event.id }} className="-ml-3" />
              </p>
            )}
          </div>
          {!isGone && <SimilarEvents event={event} />}
        </Later>
      </Later>
    </EventGrid>
  );
}

function OwnerShare({ event }: { event: Event }) {
  const t = useTexts(ownerTexts);
  return (
    <ShareMenu
      event={event}
      trigger={
        <Button variant="secondary" className="px-4">
          <Share2 aria-hidden className="size-4" />
          {t('share')}
        </Button>
      }
    />
  );
}

/** Reports a view. The server counts a visitor once a day. A prerendered page reports when it becomes visible. */
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
