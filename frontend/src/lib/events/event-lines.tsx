import { categoryOf, type CategoryName, type MetroLine } from '@beltway/contracts/catalog/categories';
import type { Event } from '@beltway/contracts/catalog/events';
import { dayAt, daysOfEvent, hasEnded, startOf } from '@beltway/contracts/common/times';
import MapPin from 'lucide-react/icons/map-pin';
import { cx } from '../../ui/cx.ts';
import { Badge } from '../../ui/badge.tsx';
import { textsNow } from '../i18n/catalog.ts';
import { Age } from '../time/age.tsx';
import { useEventClock } from './event-clock.ts';
import { isPremium } from './event-facts.ts';
import { formatClock, formatDay, formatDays, formatTimes, formatWhen } from '../i18n/format.ts';
import { texts } from '../i18n/texts.en.ts';

// The class names are written in full, because Tailwind finds class names in the source text.
const signs: Record<MetroLine, string> = {
  red: 'bg-metro-red text-on-metro-red',
  orange: 'bg-metro-orange text-on-metro-orange',
  silver: 'bg-metro-silver text-on-metro-silver',
  blue: 'bg-metro-blue text-on-metro-blue',
  yellow: 'bg-metro-yellow text-on-metro-yellow',
  green: 'bg-metro-green text-on-metro-green',
};

/** The dot of a Metro line, for a legend. */
export const LineDot = ({ line, className }: { line: MetroLine; className?: string }) => (
  <span
    aria-hidden
    className={cx('inline-block size-3 shrink-0 rounded-full forced-color-adjust-none', signs[line], className)}
  />
);

/** 'music' → "Music" */
export const categoryLabel = (name: CategoryName): string => textsNow(texts)(name);

/** An event's category on its line's color. */
export function CategorySign({ tags }: Pick<Event, 'tags'>) {
  const { line, name } = categoryOf(tags);
  return (
    <span className={cx('inline-flex items-center rounded-full px-2.5 py-0.5 text-note font-strong', signs[line])}>
      {categoryLabel(name)}
    </span>
  );
}

/** The promotion package's name, which is not translated. */
const PREMIUM = 'PREMIUM';
/** The badge of a premium promotion, shown wherever the event is shown. */
export const PremiumBadge = ({ event }: { event: Pick<Event, 'promotionLevel'> }) =>
  isPremium(event) && <Badge tone="accent">{PREMIUM}</Badge>;

type Dates = Pick<Event, 'eventDate' | 'eventLastDate' | 'eventStartTime' | 'eventEndTime'>;

/** The text of a running event: "On now, until 9 PM"; before the last day of several, "On now, until Sun, Dec 6". */
function onNow({ eventEndTime, ...dates }: Dates, now: Date): string {
  const t = textsNow(texts);
  const { last } = daysOfEvent(dates);
  if (dayAt(now) < last) return t('onNowUntil', { end: formatDay(last, now) });
  return eventEndTime ? t('onNowUntil', { end: formatClock(eventEndTime) }) : t('onNow');
}

/**
 * "Sat, Nov 28, 7 PM", or that the event is postponed. Screen readers read "Saturday, November 28, 2026, 7 PM – 11 PM".
 */
export function When({ event, className }: { event: Dates & Partial<Pick<Event, 'status'>>; className?: string }) {
  const t = textsNow(texts);
  const now = useEventClock(event);
  if (!event.eventDate) return <span className={className}>{t('dateTbd')}</span>;
  if (event.status === 'postponed') return <span className={className}>{t('postponed')}</span>;
  const spoken = `${formatDays(event)}, ${formatTimes(event.eventStartTime, event.eventEndTime)}`;
  const isOn = event.status === 'published' && startOf(event) <= now && !hasEnded(event, now);
  return (
    <time dateTime={event.eventDate} className={cx('tabular', className)}>
      <span aria-hidden>{isOn ? onNow(event, now) : formatWhen(event, now)}</span>
      <span className="sr-only">{spoken}</span>
    </time>
  );
}

/** The listing's age, with a label because the event's start time is beside it. */
export const Listed = ({ event }: { event: Pick<Event, 'createdAt'> }) => (
  <span>
    {textsNow(texts).rich('listed', {
      age: () => (
        <span className="lowercase">
          <Age of={event.createdAt} />
        </span>
      ),
    })}
  </span>
);

interface WhereProps {
  location: string;
  /** Shown in one line and cut off if longer. */
  short?: boolean;
  className?: string;
}

export const Where = ({ location, short = false, className }: WhereProps) => (
  <span className={cx('flex items-start gap-1.5 wrap-anywhere', className)}>
    <MapPin aria-hidden className="mt-[0.2em] size-[1.05em] shrink-0" />
    <span className="sr-only">{textsNow(texts)('where')}</span>
    {short ? <span className="truncate">{location}</span> : location}
  </span>
);
