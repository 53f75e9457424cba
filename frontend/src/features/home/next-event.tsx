import type { Event } from '@beltway/contracts/catalog/events';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { eventPath, isFree, sellsTickets } from '../../lib/events/event-facts.ts';
import { PremiumBadge, When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { formatPrice } from '../../lib/i18n/format.ts';
import { cx } from '../../ui/cx.ts';
import { Mark } from '../../ui/mark.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { texts } from './texts.en.ts';

interface NextEventProps {
  /** Undefined while it is not known. */
  event: Event | undefined;
  isNew?: boolean;
}

/** The ring with the next event where one drives in: the card lies over the ring's opening. */
export const NextEvent = ({ event, isNew = false }: NextEventProps) => (
  <div className="relative flex min-h-36 items-center lg:min-h-[21rem]">
    <Ring className="absolute start-0 top-1/2 -translate-y-1/2" />
    <div className="relative ms-18 min-w-0 flex-1 max-[15rem]:ms-4 lg:ms-52">
      {event ? <Card event={event} isNew={isNew} /> : <CardSkeleton />}
    </div>
  </div>
);

/** Turned so that its opening looks to the right, to the card. */
export const Ring = ({ className }: { className: string }) => (
  <div className={className}>
    <Mark turn={45} className="size-36 text-accent lg:size-[21rem]" />
  </div>
);

const CARD = 'flex items-center gap-3.5 rounded-lg border border-line bg-raised p-2.5 shadow-float lg:block';

function Card({ event, isNew }: { event: Event; isNew: boolean }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  return (
    <Link
      to={eventPath(event)}
      data-testid="next-up"
      className={cx(
        isNew && 'animate-fade',
        CARD,
        'transition-[border-color] duration-(--duration-base) hover:border-edge',
      )}
    >
      <EventPicture
        event={event}
        priority
        sizes="(width >= 64rem) 20rem, 6rem"
        className="size-24 shrink-0 rounded-md max-[22rem]:hidden lg:aspect-2/1 lg:size-auto"
      />
      <span className="grid min-w-0 gap-0.5 lg:gap-1 lg:px-1.5 lg:pb-1 lg:pt-3">
        <span className="flex flex-wrap justify-between gap-x-4 text-note">
          <span className="text-ink-soft max-lg:sr-only">{t('nextUp')}</span>
          <span className="flex flex-wrap items-center gap-x-2">
            <PremiumBadge event={event} />
            <When event={event} className="font-strong" />
          </span>
        </span>
        <span className="line-clamp-2 font-display text-body leading-tight font-strong tracking-tight lg:text-title">
          {event.title}
        </span>
        <Where location={event.location} className="text-note text-ink-soft" />
        {sellsTickets(event) ? (
          <span className="tabular text-note font-strong">{formatPrice(event.ticketPrice)}</span>
        ) : (
          isFree(event, now) && <span className="tabular text-note font-strong">{t('freeEntry')}</span>
        )}
      </span>
    </Link>
  );
}

const CardSkeleton = () => (
  <div className={CARD}>
    <Skeleton className="size-24 shrink-0 rounded-md lg:aspect-2/1 lg:size-auto" />
    <div className="grid min-w-0 flex-1 grid-cols-1 gap-2 lg:px-1.5 lg:pb-1 lg:pt-3">
      <Skeleton className="h-4 w-24 max-w-full" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  </div>
);
