import type { Event } from '@beltway/contracts/catalog/events';
import { Link } from 'react-router-dom';
import { cx } from '../../ui/cx.ts';
import { eventPath } from './event-facts.ts';
import { PremiumBadge, When, Where } from './event-lines.tsx';
import { EventPicture } from './event-picture.tsx';

interface EventTileProps {
  event: Event;
  /** Of the first screen: its picture is loaded before all others. */
  priority?: boolean;
  className?: string;
}

/** An event in a row of three lines beside its picture; all of it is one link. */
export const EventTile = ({ event, priority = false, className }: EventTileProps) => (
  <Link
    to={eventPath(event)}
    className={cx(
      'flex items-center gap-3.5 rounded-lg border border-line bg-raised p-2.5 shadow-card transition-[border-color,box-shadow] duration-(--duration-base) hover:border-edge hover:shadow-lift',
      className,
    )}
  >
    <EventPicture
      event={event}
      priority={priority}
      sizes="6rem"
      className="size-24 shrink-0 rounded-md max-[18rem]:hidden"
    />
    <span className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <When event={event} className="text-note font-strong" />
        <PremiumBadge event={event} />
      </span>
      <span className="line-clamp-2 font-display text-body leading-tight font-strong tracking-tight">
        {event.title}
      </span>
      <Where location={event.location} className="text-note text-ink-soft" />
    </span>
  </Link>
);
