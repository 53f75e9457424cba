import type { Event } from '@beltway/contracts/catalog/events';
import { directionsUrl, fullAddress } from '@beltway/contracts/catalog/event-links';
import CalendarDays from 'lucide-react/icons/calendar-days';
import MapPin from 'lucide-react/icons/map-pin';
import Ticket from 'lucide-react/icons/ticket';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { freeEntry, isFree, isPostponed, sellsTickets } from '../../lib/events/event-facts.ts';
import { formatDays, formatPrice, formatTimes, nearDay } from '../../lib/i18n/format.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './texts.en.ts';

const DOT = ' · ';

/** Time, place and price, on one line each. */
export function Facts({ event }: { event: Event }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  // A preview has no date until one is chosen.
  const isDated = event.eventDate !== '' && !isPostponed(event);
  const near = isDated ? nearDay(event.eventDate, now) : null;
  const day = isDated ? formatDays(event) : '';
  const entry = sellsTickets(event)
    ? t('pricePer', { price: formatPrice(event.ticketPrice) })
    : isFree(event, now) && freeEntry();
  return (
    <dl className="grid gap-2 text-body">
      {!isDated ? (
        <Fact
          icon={<CalendarDays aria-hidden />}
          name={t('date')}
          value={t(isPostponed(event) ? 'noDateYet' : 'dateTbd')}
        />
      ) : (
        <Fact
          icon={<CalendarDays aria-hidden />}
          name={t('date')}
          value={
            <>
              <span>{near === null ? day : t('nearDay', { near, day })}</span>
              <span aria-hidden>{DOT}</span>
              <span>{formatTimes(event.eventStartTime, event.eventEndTime)}</span>
            </>
          }
        />
      )}
      <Fact
        icon={<MapPin aria-hidden />}
        name={t('place')}
        value={
          <>
            <span className="wrap-anywhere">{event.location}</span>
            {event.address && <span className="block wrap-anywhere text-ink-soft">{event.address}</span>}
            <a
              href={directionsUrl(fullAddress(event))}
              target="_blank"
              rel="noopener noreferrer"
              className={cx(
                'inline-flex min-h-6 items-center whitespace-nowrap underline underline-offset-4',
                !event.address && 'ms-2',
              )}
            >
              {t('directions')}
              <span className="sr-only">{t('newTab')}</span>
            </a>
          </>
        }
      />
      {/* On wide screens, the tickets box in the same view shows the price. */}
      {entry && <Fact icon={<Ticket aria-hidden />} name={t('entry')} value={entry} className="lg:hidden" />}
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
