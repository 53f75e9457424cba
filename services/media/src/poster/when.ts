import type { PosterEvent } from '@beltway/contracts/media/images';
import { dayOf } from '@beltway/contracts/common/times';
import { clockText } from '@beltway/contracts/common/when';

/** "Sat", "Nov 21", "7 PM": the day in Washington. */
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
