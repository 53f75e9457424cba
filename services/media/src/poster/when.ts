import type { PosterEvent } from '@beltway/contracts/media/images';
import { dayOf } from '@beltway/contracts/common/times';
import { clockText, daysText } from '@beltway/contracts/common/when';

/** "Sat", "Nov 21", "7 PM": the day and time in Washington. */
export function whenOf({ eventDate, eventStartTime }: Pick<PosterEvent, 'eventDate' | 'eventStartTime'>) {
  const day = new Date(dayOf(eventDate));
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(day);
  return {
    weekday: part({ weekday: 'short' }),
    day: part({ month: 'short', day: 'numeric' }),
    time: clockText(eventStartTime),
  };
}

/** "Sat, Nov 21"; for an event of several days, the first and the last day. */
export const datesOf = ({ eventStartTime, ...dates }: Omit<PosterEvent, 'title' | 'location' | 'tags'>): string =>
  daysText(dates, (eventDate) => {
    const { weekday, day } = whenOf({ eventDate, eventStartTime });
    return `${weekday}, ${day}`;
  });
