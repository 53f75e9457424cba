import { dayAt, daysAfter } from '@beltway/contracts/common/times';

const FRIDAY = 5;
const weekday = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();

/**
 * Today's date in New York if today is a Friday, the day on which payouts are sent. A payout that fails all day waits
 * for the next Friday.
 */
export function payoutDayAt(now: Date): string | null {
  const today = dayAt(now);
  return weekday(today) === FRIDAY ? today : null;
}

/** The next payout day after today. */
export function nextPayoutDay(now: Date): string {
  const today = dayAt(now);
  return daysAfter(today, ((FRIDAY - weekday(today) + 6) % 7) + 1);
}
