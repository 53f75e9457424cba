import type { PosterEvent } from '@beltway/contracts/media';
import { dayOf } from '@beltway/contracts/times';

/** "Sat", "Nov 21", "7 PM": the day in Washington. */
export function whenOf({ eventDate, eventStartTime }: Pick<PosterEvent, 'eventDate' | 'eventStartTime'>) {
  const day = new Date(dayOf(eventDate));
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(day);
  const [hour = 0, minute = 0] = eventStartTime.split(':').map(Number);
  const minutes = minute ? `:${String(minute).padStart(2, '0')}` : '';
  return {
    weekday: part({ weekday: 'short' }),
    day: part({ month: 'short', day: 'numeric' }),
    time: `${hour % 12 || 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`,
  };
}
