import type { Event } from '@beltway/contracts/catalog';
import { directionsUrl } from '@beltway/contracts/event-links';
import { CalendarDays, Clock, MapPin, Ticket } from 'lucide-react';
import type { ReactNode } from 'react';
import { POSTPONED } from '@beltway/contracts/when';
import { FREE_ENTRY, isFree, isPostponed } from '../../lib/event-facts.ts';
import { dayName, formatLongDate, formatTimes } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';

/** When and where, at a glance. */
export function Facts({ event }: { event: Event }) {
  const day = dayName(event.eventDate);
  const isNear = day === 'Today' || day === 'Tomorrow';
  return (
    <dl className="grid gap-2 text-body">
      {isPostponed(event) ? (
        <Fact icon={<CalendarDays aria-hidden />} name="Date" value={POSTPONED} />
      ) : (
        <>
          <Fact
            icon={<CalendarDays aria-hidden />}
            name="Date"
            value={`${isNear ? `${day}, ` : ''}${formatLongDate(event.eventDate)}`}
          />
          <Fact
            icon={<Clock aria-hidden />}
            name="Time"
            value={formatTimes(event.eventStartTime, event.eventEndTime)}
          />
        </>
      )}
      <Fact
        icon={<MapPin aria-hidden />}
        name="Place"
        value={
          <>
            <span className="break-words">{event.location}</span>
            <a
              href={directionsUrl(event.location)}
              target="_blank"
              rel="noopener noreferrer"
              className="ml-2 inline-flex min-h-6 items-center whitespace-nowrap underline underline-offset-4"
            >
              Directions
              <span className="sr-only"> (opens a map in a new tab)</span>
            </a>
          </>
        }
      />
      {/* On a desk the box beside it says so, in the same view. */}
      {isFree(event) && <Fact icon={<Ticket aria-hidden />} name="Entry" value={FREE_ENTRY} className="lg:hidden" />}
    </dl>
  );
}

interface FactProps {
  icon: ReactNode;
  name: string;
  value: ReactNode;
  className?: string;
}

const Fact = ({ icon, name, value, className }: FactProps) => (
  <div
    className={cx(
      'flex items-start gap-3 [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-soft',
      className,
    )}
  >
    {icon}
    <dt className="sr-only">{name}</dt>
    <dd className="min-w-0 tabular">{value}</dd>
  </div>
);
