import type { Event } from '@beltway/contracts/catalog/events';
import { Link } from 'react-router-dom';
import { cx } from '../../ui/cx.ts';
import { textsNow } from '../i18n/catalog.ts';
import { formatPrice } from '../i18n/format.ts';
import { texts } from '../i18n/texts.en.ts';
import { useEventClock } from './event-clock.ts';
import { eventPath, isFree, saleState, sellsTickets } from './event-facts.ts';
import { PremiumBadge, When, Where } from './event-lines.tsx';
import { EventPicture } from './event-picture.tsx';

interface EventTileProps {
  event: Event;
  /** True on the first screen, where pictures load before all others. */
  priority?: boolean;
  className?: string;
}

/** An event as a row: four lines beside a picture. The whole row is one link. */
export function EventTile({ event, priority = false, className }: EventTileProps) {
  const now = useEventClock(event);
  const t = textsNow(texts);
  const price = !sellsTickets(event)
    ? isFree(event, now) && t('free')
    : saleState(event, now) === 'sold-out'
      ? t('soldOut')
      : formatPrice(event.ticketPrice);
  return (
    <Link
      to={eventPath(event)}
      className={cx(
        'flex items-center gap-3 rounded-lg border border-line bg-raised p-2 shadow-card transition-[border-color,box-shadow] duration-(--duration-base) hover:border-edge hover:shadow-lift',
        className,
      )}
    >
      <EventPicture
        event={event}
        priority={priority}
        sizes="5rem"
        className="size-20 shrink-0 rounded-md max-[18rem]:hidden"
      />
      <span className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2">
          <When event={event} className="text-note font-strong" />
          <PremiumBadge event={event} />
        </span>
        <span className="line-clamp-2 font-display text-body leading-tight font-strong tracking-tight wrap-anywhere">
          {event.title}
        </span>
        <Where location={event.location} short className="text-note text-ink-soft" />
        {price && <span className="tabular text-note font-strong">{price}</span>}
      </span>
    </Link>
  );
}
