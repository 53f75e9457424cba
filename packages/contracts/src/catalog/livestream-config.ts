import { z } from 'zod';
import { HOUR_MS } from '../common/times.ts';
import { fault } from '../problems/fault.ts';

// The configuration that organizers enter, in a separate file so that pages that only show streams do not load it.

export const LIVESTREAM = {
  maxViewers: 10_000,
  longestHours: 12,
  usualViewers: 500,
} as const;

/** An instant with its offset, stored in UTC. */
const instant = (missing: 'invalid.stream-starts' | 'invalid.stream-ends') =>
  z.iso.datetime({ offset: true, error: fault(missing) }).transform((text) => new Date(text).toISOString());
const VIEWERS_WANTED = fault('invalid.viewers', { max: LIVESTREAM.maxViewers });

const settings = {
  /** Concurrent viewers. */
  maxViewers: z.int(VIEWERS_WANTED).min(1, VIEWERS_WANTED).max(LIVESTREAM.maxViewers, VIEWERS_WANTED),
  chatEnabled: z.boolean(),
  recordingEnabled: z.boolean(),
};

/**
 * The configuration that an organizer makes before paying. Checks only the rules that depend neither on the current
 * time nor on the event.
 */
export const LivestreamConfig = z
  .strictObject({ startTime: instant('invalid.stream-starts'), endTime: instant('invalid.stream-ends'), ...settings })
  .superRefine(({ startTime, endTime }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['endTime'], message });
    const lasts = Date.parse(endTime) - Date.parse(startTime);
    if (lasts <= 0) refuse(fault('invalid.stream-order'));
    else if (lasts > LIVESTREAM.longestHours * HOUR_MS)
      refuse(fault('invalid.stream-length', { hours: LIVESTREAM.longestHours }));
  });
export type LivestreamConfig = z.infer<typeof LivestreamConfig>;

interface LivestreamFault {
  field: 'startTime' | 'endTime';
  text: 'livestream-startTime.past' | 'livestream-startTime.late' | 'livestream-endTime.early';
}

/** The field and the reason why this stream does not fit an event with these hours. null: the stream fits. */
export function livestreamFault(
  { startTime, endTime }: Pick<LivestreamConfig, 'startTime' | 'endTime'>,
  event: { startsAt: Date | null; endsAt: Date },
  now: Date,
): LivestreamFault | null {
  const start = new Date(startTime);
  if (start <= now) return { field: 'startTime', text: 'livestream-startTime.past' };
  if (start >= event.endsAt) return { field: 'startTime', text: 'livestream-startTime.late' };
  if (event.startsAt && new Date(endTime) <= event.startsAt)
    return { field: 'endTime', text: 'livestream-endTime.early' };
  return null;
}

const QUARTER_MS = HOUR_MS / 4;
/** Assumed duration of an event without a start and an end. */
const LASTS_MS = 3 * HOUR_MS;

/**
 * The default configuration of a live stream: the event's hours. If the event has already begun, the stream starts at a
 * quarter hour that leaves time to pay.
 */
export function usualLivestream({ startsAt, endsAt }: { startsAt: Date | null; endsAt: Date }, now: Date) {
  const soon = Math.ceil((now.getTime() + QUARTER_MS) / QUARTER_MS) * QUARTER_MS;
  const start = Math.max(startsAt?.getTime() ?? endsAt.getTime() - LASTS_MS, soon);
  const end = endsAt.getTime() > start ? endsAt.getTime() : start + HOUR_MS;
  return {
    startTime: new Date(start).toISOString(),
    endTime: new Date(Math.min(end, start + LIVESTREAM.longestHours * HOUR_MS)).toISOString(),
    ...{ maxViewers: LIVESTREAM.usualViewers, chatEnabled: true, recordingEnabled: true },
  } satisfies LivestreamConfig;
}
