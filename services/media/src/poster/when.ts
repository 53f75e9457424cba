import type { PosterEvent } from '@beltway/contracts/media';

const ZONE = 'America/New_York';

/** "Sat", "Nov 21", "7 PM": the day in Washington. A bare date arrives as midnight UTC and means that very day. */
export function whenOf({ eventDate, eventStartTime }: Pick<PosterEvent, 'eventDate' | 'eventStartTime'>) {
  const date = new Date(eventDate);
  const timeZone = date.getTime() % 86_400_000 === 0 ? 'UTC' : ZONE;
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(date);
  const [hour = 0, minute = 0] = eventStartTime.split(':').map(Number);
  const minutes = minute ? `:${String(minute).padStart(2, '0')}` : '';
  return {
    weekday: part({ weekday: 'short' }),
    day: part({ month: 'short', day: 'numeric' }),
    time: `${hour % 12 || 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`,
  };
}
