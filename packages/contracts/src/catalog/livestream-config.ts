import { z } from 'zod';
import { HOUR_MS } from '../common/times.ts';

// What organizers configure, apart from livestream.ts, so that pages that only show streams do not load it.

export const LIVESTREAM = {
  maxViewers: 10_000,
  longestHours: 12,
  usualViewers: 500,
} as const;

/** An instant with its offset, kept in UTC. */
const instant = (name: string) =>
  z.iso
    .datetime({ offset: true, error: `Please choose when the live stream ${name}` })
    .transform((text) => new Date(text).toISOString());
const VIEWERS_WANTED = `Please enter a whole number of viewers from 1 to ${LIVESTREAM.maxViewers.toLocaleString('en-US')}`;

const settings = {
  /** At a time. */
  maxViewers: z.int(VIEWERS_WANTED).min(1, VIEWERS_WANTED).max(LIVESTREAM.maxViewers, VIEWERS_WANTED),
  chatEnabled: z.boolean(),
  recordingEnabled: z.boolean(),
};

/** The configuration of a live stream, which its organizer makes before paying. Rules that need no clock and no event. */
export const LivestreamConfig = z
  .strictObject({ startTime: instant('starts'), endTime: instant('ends'), ...settings })
  .superRefine(({ startTime, endTime }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['endTime'], message });
    const lasts = Date.parse(endTime) - Date.parse(startTime);
    if (lasts <= 0) refuse('The live stream must end after it starts');
    else if (lasts > LIVESTREAM.longestHours * HOUR_MS)
      refuse(`A live stream can last ${LIVESTREAM.longestHours} hours at most`);
  });
export type LivestreamConfig = z.infer<typeof LivestreamConfig>;

/** Field and reason why this cannot be the live stream of an event with these hours, from now on; null: it can. */
export function livestreamFault(
  { startTime, endTime }: Pick<LivestreamConfig, 'startTime' | 'endTime'>,
  event: { startsAt: Date | null; endsAt: Date },
  now: Date,
): { field: 'startTime' | 'endTime'; message: string } | null {
  const start = new Date(startTime);
  if (start <= now) return { field: 'startTime', message: 'This start time is past. Please choose a later one' };
  if (start >= event.endsAt)
    return { field: 'startTime', message: 'The live stream must start before the event is over' };
  if (event.startsAt && new Date(endTime) <= event.startsAt)
    return { field: 'endTime', message: 'The live stream must end after the event has begun' };
  return null;
}

const QUARTER_MS = HOUR_MS / 4;
/** For how long an event without an end is taken to last, where its start is not known. */
const LASTS_MS = 3 * HOUR_MS;

/** The configuration of a live stream until its owner makes one: the event's hours; of an event that is on, from the next quarter of an hour that leaves time to pay. */
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
