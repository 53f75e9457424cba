import { clockChangeAt } from '@beltway/contracts/common/clock-change';
import { dayAt, endOf, instantOf } from '@beltway/contracts/common/times';
import { textsNow } from '../i18n/catalog.ts';
import { formatClock } from '../i18n/format.ts';
import { texts } from './texts.en.ts';

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
const isTime = (text: string): boolean => /^\d\d:\d\d$/.test(text);

/** Below a time that New York's clocks skip or show twice on its day: what counts then. */
export function clockHint(day: string, time: string): string | undefined {
  const change = isDay(day) && isTime(time) ? clockChangeAt(day, time) : null;
  if (!change) return undefined;
  const t = textsNow(texts);
  const shown = { time: formatClock(change.clock) };
  return change.kind === 'skipped' ? t('skipped', shown) : t('twice', shown);
}

/** The same of an event's end, which is on the next day when it is at or before the start. */
export function endHint(day: string, start: string, end: string): string | undefined {
  if (!isDay(day) || !isTime(start) || !isTime(end)) return undefined;
  const at = endOf({ eventDate: `${day}T00:00:00Z`, eventStartTime: start, eventEndTime: end });
  const endDay = dayAt(at);
  // From 1:45 to 1:15 it can only be the second 1:15.
  return instantOf(endDay, end).getTime() === at.getTime() ? clockHint(endDay, end) : undefined;
}
