import type { Event } from '@beltway/contracts/catalog/events';
import { directionsUrl } from '@beltway/contracts/catalog/event-links';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Clock from 'lucide-react/icons/clock';
import MapPin from 'lucide-react/icons/map-pin';
import Ticket from 'lucide-react/icons/ticket';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { freeEntry, isFree, isPostponed } from '../../lib/events/event-facts.ts';
import { formatLongDate, formatTimes, nearDay } from '../../lib/i18n/format.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './texts.en.ts';

/** When and where, at a glance. */
export function Facts({ event }: { event: Event }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const near = nearDay(event.eventDate, now);
  const day = formatLongDate(event.eventDate);
  return (
    <dl className="grid gap-2 text-body">
      {isPostponed(event) ? (
        <Fact icon={<CalendarDays aria-hidden />} name={t('date')} value={t('noDateYet')} />
      ) : (
        <>
          <Fact
            icon={<CalendarDays aria-hidden />}
            name={t('date')}
            value={near === null ? day : t('nearDay', { near, day })}
          />
          <Fact
            icon={<Clock aria-hidden />}
            name={t('time')}
            value={formatTimes(event.eventStartTime, event.eventEndTime)}
          />
        </>
      )}
      <Fact
        icon={<MapPin aria-hidden />}
        name={t('place')}
        value={
          <>
            <span className="wrap-anywhere">{event.location}</span>
            <a
              href={directionsUrl(event.location)}
              target="_blank"
              rel="noopener noreferrer"
              className="ms-2 inline-flex min-h-6 items-center whitespace-nowrap underline underline-offset-4"
            >
              {t('directions')}
              <span className="sr-only">{t('newTab')}</span>
            </a>
          </>
        }
      />
      {/* On a desk the box beside it says so, in the same view. */}
      {isFree(event, now) && (
        <Fact icon={<Ticket aria-hidden />} name={t('entry')} value={freeEntry()} className="lg:hidden" />
      )}
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
