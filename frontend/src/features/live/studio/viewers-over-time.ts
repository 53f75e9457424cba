import type { Broadcast } from '@beltway/contracts/media/broadcast';
import { zonedText } from '@beltway/contracts/common/times';
import { formatClock } from '../../../lib/i18n/format.ts';

/** The viewers in a span of time; in a span of several minutes, the maximum. */
export interface ViewersAt {
  key: string;
  /** "7:05 PM" */
  name: string;
  /** Null: the stream was not live. */
  viewers: number | null;
}

const MINUTE = 60_000;
/** The most bars that can be distinguished on a phone. */
const MAX_BARS = 48;
const STEPS = [1, 2, 5, 10, 15, 30, 60];

/** Groups numbers per minute into at most 48 spans of equal length, oldest first. Empty without points. */
export function viewersOverTime(points: Broadcast['viewers']['points']): ViewersAt[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const minutes = (Date.parse(last.at) - Date.parse(first.at)) / MINUTE + 1;
  const step =
    (STEPS.find((one) => minutes / one < MAX_BARS) ?? Math.ceil(minutes / (MAX_BARS - 1) / 60) * 60) * MINUTE;
  const spanOf = (at: string) => Math.floor(Date.parse(at) / step);
  const most = new Map<number, number>();
  for (const { at, viewers } of points) most.set(spanOf(at), Math.max(viewers, most.get(spanOf(at)) ?? 0));
  return Array.from({ length: spanOf(last.at) - spanOf(first.at) + 1 }, (_, index) => {
    const span = spanOf(first.at) + index;
    const at = new Date(span * step);
    return {
      key: at.toISOString(),
      name: formatClock(zonedText(at).slice(11, 16)),
      viewers: most.get(span) ?? null,
    };
  });
}
