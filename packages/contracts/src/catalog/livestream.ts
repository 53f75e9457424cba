import { z } from 'zod';
import { envelope } from '../common/basics.ts';

/** The configuration of a live stream (`livestream-config.ts`): times in UTC, `maxViewers` as concurrent viewers. */
export const ConfiguredLivestream = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  maxViewers: z.int(),
  chatEnabled: z.boolean(),
  recordingEnabled: z.boolean(),
});

/**
 * The configuration that was paid for, with the event's start at the time of payment. The start is needed because the
 * stream moves when its event moves. `isUsual`: true while the organizer has not changed the default configuration.
 */
export const PaidLivestream = ConfiguredLivestream.extend({
  eventStartsAt: z.iso.datetime().nullable(),
  isUsual: z.literal(true).exactOptional(),
});
export type PaidLivestream = z.infer<typeof PaidLivestream>;

/**
 * payments: a live stream was paid. The catalog schedules the stream and starts its promotion, or refuses the stream.
 */
export const LivestreamPaidV1 = z.object({
  ...envelope,
  type: z.literal('payments.livestream-paid'),
  version: z.literal(1),
  data: z.object({
    /** The payment's id at Beltway, which identifies this purchase. */
    promotionId: z.uuid(),
    /** The provider's id. */
    paymentId: z.string(),
    eventId: z.int(),
    amountCents: z.int(),
    livestream: PaidLivestream,
  }),
});
export type LivestreamPaidV1 = z.infer<typeof LivestreamPaidV1>;

/**
 * payments: a live stream was bought without a configuration, and the buyer sent the configuration later, with the
 * payment's confirmation.
 */
export const LivestreamConfiguredV1 = z.object({
  ...envelope,
  type: z.literal('payments.livestream-configured'),
  version: z.literal(1),
  data: LivestreamPaidV1.shape.data,
});
export type LivestreamConfiguredV1 = z.infer<typeof LivestreamConfiguredV1>;

export const LivestreamStatus = z.enum(['scheduled', 'live', 'ended', 'canceled']);
export type LivestreamStatus = z.infer<typeof LivestreamStatus>;

/** catalog: a live stream was scheduled, moved with its event, began or ended. A canceled event cancels its stream. */
export const LivestreamChangedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.livestream-changed'),
  version: z.literal(1),
  data: ConfiguredLivestream.extend({
    eventId: z.int(),
    status: LivestreamStatus.exclude(['canceled']),
    /** Version of the event's stream. The message with the higher version is newer. */
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

/** GET /api/live-streams: live and scheduled streams, soonest first. */
export const LiveStream = z.object({
  /** The event's id. */
  id: z.int(),
  title: z.string(),
  venueName: z.string(),
  location: z.string(),
  description: z.string(),
  category: LivestreamCategory,
  thumbnailUrl: z.string(),
  viewerCount: z.int(),
  isLive: z.boolean(),
  /** True if the frontend plays the demo's generated clip instead of a camera. */
  isClip: z.boolean(),
  ...ConfiguredLivestream.shape,
});
export type LiveStream = z.infer<typeof LiveStream>;
export const LiveStreamList = z.array(LiveStream);

/** Matched against the location; the first match wins. */
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

/** The kind of place from which a live stream is sent, derived from its location. */
export const livestreamCategoryOf = (location: string): LivestreamCategory =>
  CATEGORY_WORDS.find(([, words]) => words.test(location))?.[0] ?? 'Entertainment District';
