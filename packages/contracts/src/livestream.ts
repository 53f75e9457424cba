import { z } from 'zod';
import { envelope } from './common.ts';
import { HOUR_MS } from './times.ts';

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

/** How a live stream is to be: what its organiser configures before paying for it. Rules that need no clock and no event. */
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

/** The same as it is answered and told: times in UTC. */
export const ConfiguredLivestream = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  ...settings,
});

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

/** What a live stream is while nobody configured it: the event's hours; of an event that is on, from the next quarter of an hour that leaves time to pay. */
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

/**
 * The configuration that was paid, with the start of the event that it was made for: the stream moves with its event. `isUsual`: nobody
 * configured it yet.
 */
export const PaidLivestream = ConfiguredLivestream.extend({
  eventStartsAt: z.iso.datetime().nullable(),
  isUsual: z.literal(true).exactOptional(),
});
export type PaidLivestream = z.infer<typeof PaidLivestream>;

/** payments: somebody paid for a live stream. The catalog schedules it and starts its promotion, or says that it cannot. */
export const LivestreamPaidV1 = z.object({
  ...envelope,
  type: z.literal('payments.livestream-paid'),
  version: z.literal(1),
  data: z.object({
    /** The payment's id here, which names this purchase. */
    promotionId: z.uuid(),
    /** The provider's. */
    paymentId: z.string(),
    eventId: z.int(),
    amountCents: z.int(),
    livestream: PaidLivestream,
  }),
});
export type LivestreamPaidV1 = z.infer<typeof LivestreamPaidV1>;

/** payments: who paid for a live stream without a configuration sent one with the confirmation. */
export const LivestreamConfiguredV1 = z.object({
  ...envelope,
  type: z.literal('payments.livestream-configured'),
  version: z.literal(1),
  data: LivestreamPaidV1.shape.data,
});
export type LivestreamConfiguredV1 = z.infer<typeof LivestreamConfiguredV1>;

export const LivestreamStatus = z.enum(['scheduled', 'live', 'ended', 'cancelled']);
export type LivestreamStatus = z.infer<typeof LivestreamStatus>;

/** catalog: a live stream was scheduled, moved with its event, began or ended. With its event it is cancelled. */
export const LivestreamChangedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.livestream-changed'),
  version: z.literal(1),
  data: ConfiguredLivestream.extend({
    eventId: z.int(),
    status: LivestreamStatus.exclude(['cancelled']),
    /** Of the event's own stream: of two messages the higher is the newer. Missing in messages of older days, which are older than any. */
    version: z.int().positive().exactOptional(),
  }),
});
export type LivestreamChangedV1 = z.infer<typeof LivestreamChangedV1>;

export const LivestreamCategory = z.enum([
  'Landmark',
  'Waterfront',
  'Government',
  'Entertainment District',
  'Waterfront Resort',
  'Street Views',
]);
export type LivestreamCategory = z.infer<typeof LivestreamCategory>;

/** GET /api/live-streams: those that are live, and those that are scheduled, soonest first. */
export const LiveStream = z.object({
  /** The event's. */
  id: z.int(),
  title: z.string(),
  venueName: z.string(),
  location: z.string(),
  description: z.string(),
  category: LivestreamCategory,
  thumbnailUrl: z.string(),
  viewerCount: z.int(),
  isLive: z.boolean(),
  /** Its pictures are the demo's made-up clip, from no camera. */
  isClip: z.boolean(),
  ...ConfiguredLivestream.shape,
});
export type LiveStream = z.infer<typeof LiveStream>;
export const LiveStreamList = z.array(LiveStream);

/** By words of where it is; the first that fits. */
const CATEGORY_WORDS: ReadonlyArray<readonly [LivestreamCategory, RegExp]> = [
  ['Waterfront Resort', /\b(national harbor|gaylord|resort)\b/i],
  ['Waterfront', /\b(wharf|waterfront|harbor|harbour|pier|marina|riverfront|navy yard|yards park|inlet|beach)\b/i],
  ['Government', /\b(capitol|white house|city hall|court(house)?|library of congress|embassy|pentagon|state house)\b/i],
  [
    'Landmark',
    /\b(monument|memorial|national mall|museum|smithsonian|cathedral|basilica|zoo|arboretum|mount vernon)\b/i,
  ],
  ['Street Views', /\b(street fair|parade|farmers market|block party|plaza|circle|square)\b/i],
];

/** What kind of place a live stream is from, by its location. */
export const livestreamCategoryOf = (location: string): LivestreamCategory =>
  CATEGORY_WORDS.find(([, words]) => words.test(location))?.[0] ?? 'Entertainment District';
