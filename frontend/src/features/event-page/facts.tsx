import type { Event } from '@beltway/contracts/catalog';
import { CalendarDays, Clock, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayName, formatLongDate, formatTimes } from '../../lib/format.ts';

/** When and where, at a glance. */
export function Facts({ event }: { event: Event }) {
  const day = dayName(event.eventDate);
  const isNear = day === 'Today' || day === 'Tomorrow';
  return (
    <dl className="grid gap-2 text-body">
      <Fact
        icon={<CalendarDays aria-hidden />}
        name="Date"
        value={`${isNear ? `${day}, ` : ''}${formatLongDate(event.eventDate)}`}
      />
      <Fact icon={<Clock aria-hidden />} name="Time" value={formatTimes(event.eventStartTime, event.eventEndTime)} />
      <Fact icon={<MapPin aria-hidden />} name="Place" value={event.location} />
    </dl>
  );
}

const Fact = ({ icon, name, value }: { icon: ReactNode; name: string; value: string }) => (
  <div className="flex items-start gap-3 [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-soft">
    {icon}
    <dt className="sr-only">{name}</dt>
    <dd className="min-w-0 tabular">{value}</dd>
  </div>
);
