import { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { CalendarDays, Clock, MapPin, Share2 } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { OwnerTools } from '../features/event-page/owner-tools.tsx';
import { TicketsBox } from '../features/event-page/tickets-box.tsx';
import { ShareMenu } from '../features/events/share-menu.tsx';
import { CategorySign } from '../lib/event-lines.tsx';
import { formatLongDate, formatTimes } from '../lib/format.ts';
import { explain, HttpError } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { apiQuery } from '../lib/query.ts';
import { useStock } from '../lib/realtime.ts';
import { useSession } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Poster } from '../ui/poster.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

export function Component() {
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useQuery({ ...apiQuery(Event, '/api/events', id), enabled: isId });
  usePageTitle(found.data?.title ?? 'Event');
  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className="page py-12">
        <EmptyState title="Event Not Found" action={<ButtonLink to="/">See what is on</ButtonLink>}>
          This event does not exist, or it was taken down.
        </EmptyState>
      </div>
    );
  if (found.isLoadingError)
    return (
      <div className="page py-12">
        <ErrorState
          title="This event could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
        />
      </div>
    );
  if (found.isPending)
    return (
      <Loading label="The event is loading" className="page grid gap-6 py-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <Skeleton className="aspect-[16/10] w-full rounded-lg" />
          <Skeleton className="h-12 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
        <Skeleton className="h-52 rounded-lg" />
      </Loading>
    );
  return <EventPage event={found.data} />;
}

function EventPage({ event }: { event: Event }) {
  const { user } = useSession();
  useStock([event.id]);
  return (
    <div className="page grid gap-8 py-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-12 lg:py-10">
      <article className="grid gap-6">
        <Poster
          src={event.imageUrl}
          alt={`Poster of ${event.title}`}
          priority
          className="aspect-[16/10] rounded-lg shadow-card"
        />
        <header className="grid gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <CategorySign tags={event.tags} />
            {event.isSponsored && <Badge tone="accent">SPONSORED</Badge>}
            {event.status === 'cancelled' && <Badge tone="danger">Cancelled</Badge>}
          </div>
          <h1 className="text-display">{event.title}</h1>
          <dl className="grid gap-2 text-body">
            <Fact icon={<CalendarDays aria-hidden />} name="Date" value={formatLongDate(event.eventDate)} />
            <Fact
              icon={<Clock aria-hidden />}
              name="Time"
              value={formatTimes(event.eventStartTime, event.eventEndTime)}
            />
            <Fact icon={<MapPin aria-hidden />} name="Place" value={event.location} />
          </dl>
        </header>
        <p className="max-w-prose whitespace-pre-line break-words">{event.description}</p>
        {event.tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-2">
            {event.tags.map((tag) => (
              <li key={tag}>
                <ButtonLink variant="secondary" to={`/?tag=${encodeURIComponent(tag)}`} className="px-4 text-note">
                  {tag}
                </ButtonLink>
              </li>
            ))}
          </ul>
        )}
      </article>
      <div className="grid gap-4 max-lg:-order-none lg:sticky lg:top-24">
        {user?.id === event.userId && <OwnerTools event={event} />}
        <TicketsBox event={event} />
        <ShareMenu
          event={event}
          trigger={
            <Button variant="secondary" className="w-full">
              <Share2 aria-hidden className="size-4" />
              Share
            </Button>
          }
        />
      </div>
    </div>
  );
}

const Fact = ({ icon, name, value }: { icon: React.ReactNode; name: string; value: string }) => (
  <div className="flex items-start gap-3 [&_svg]:mt-1 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-soft">
    {icon}
    <dt className="sr-only">{name}</dt>
    <dd>{value}</dd>
  </div>
);
