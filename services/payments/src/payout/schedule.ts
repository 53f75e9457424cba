import { dayAt, daysAfter } from '@beltway/contracts/times';

const FRIDAY = 5;
const weekday = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();

/** The day of New York on which payouts were last due: this Friday, or the one before. */
export function lastPayoutDay(now: Date): string {
  const today = dayAt(now);
  return daysAfter(today, -((weekday(today) - FRIDAY + 7) % 7));
}

/** The next one after that. */
export const nextPayoutDay = (now: Date): string => daysAfter(lastPayoutDay(now), 7);
