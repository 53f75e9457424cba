import { dayAt, daysAfter } from '@beltway/contracts/common/times';

const FRIDAY = 5;
const weekday = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();

/** The day of New York, when payouts go out on it: on Fridays. What could not be sent until it is over waits for the next one. */
export function payoutDayAt(now: Date): string | null {
  const today = dayAt(now);
  return weekday(today) === FRIDAY ? today : null;
}

/** The next such day after today. */
export function nextPayoutDay(now: Date): string {
  const today = dayAt(now);
  return daysAfter(today, ((FRIDAY - weekday(today) + 6) % 7) + 1);
}
