import { ZONE } from '@beltway/contracts/times';

const spoken = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, dateStyle: 'full', timeStyle: 'short' });

/** "Saturday, November 21, 2026 at 7:00 PM" */
export const spokenTime = (instant: Date): string => spoken.format(instant);
