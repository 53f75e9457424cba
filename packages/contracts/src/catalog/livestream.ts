import { z } from 'zod';
import { envelope } from '../common/basics.ts';

/** How a live stream is configured (`livestream-config.ts`): times in UTC, `maxViewers` at a time. */
export const ConfiguredLivestream = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  maxViewers: z.int(),
  chatEnabled: z.boolean(),
  recordingEnabled: z.boolean(),
});

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

export const LivestreamStatus = z.enum(['scheduled', 'live', 'ended', 'canceled']);
export type LivestreamStatus = z.infer<typeof LivestreamStatus>;

/** catalog: a live stream was scheduled, moved with its event, began or ended. With its event it is canceled. */
export const LivestreamChangedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.livestream-changed'),
  version: z.literal(1),
  data: ConfiguredLivestream.extend({
    eventId: z.int(),
    status: LivestreamStatus.exclude(['canceled']),
    /** Of the event's own stream: of two messages the higher is the newer. */
    version: z.int().positive(),
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
