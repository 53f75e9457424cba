import { clockChangeAt } from '@beltway/contracts/common/clock-change';
import { dayAt, endOf, instantOf } from '@beltway/contracts/common/times';
import { textsNow } from '../i18n/catalog.ts';
import { formatClock, formatLongDate } from '../i18n/format.ts';
import { texts } from './texts.en.ts';

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
const isTime = (text: string): boolean => /^\d\d:\d\d$/.test(text);

/** The hint below a time that clocks in New York skip, or show twice, on that day. */
export function clockHint(day: string, time: string): string | undefined {
  const change = isDay(day) && isTime(time) ? clockChangeAt(day, time) : null;
  if (!change) return undefined;
  const t = textsNow(texts);
  const shown = { time: formatClock(change.clock) };
  return change.kind === 'skipped' ? t('skipped', shown) : t('twice', shown);
}

/**
 * The hint below the time at which an event ends. An end at or before the start is on the next day. If the clocks do
 * not change, the hint for an event of several days names the day on which the event ends.
 */
export function endHint(day: string, last: string, start: string, end: string): string | undefined {
  if (!isDay(day) || !isTime(start) || !isTime(end)) return undefined;
  const at = endOf({ eventDate: day, eventLastDate: last, eventStartTime: start, eventEndTime: end });
  const endDay = dayAt(at);
  // An event from 1:45 to 1:15 can only end at the second 1:15, so it needs no hint.
  const change = instantOf(endDay, end).getTime() === at.getTime() ? clockHint(endDay, end) : undefined;
  return change ?? (last > day ? textsNow(texts)('endsOn', { day: formatLongDate(endDay) }) : undefined);
}
