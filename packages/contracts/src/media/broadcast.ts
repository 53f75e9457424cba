import { z } from 'zod';
import { Said, envelope } from '../common/basics.ts';
import { ConfiguredLivestream, LivestreamCategory, LivestreamStatus } from '../catalog/livestream.ts';
import { fault } from '../problems/fault.ts';

// Sending and watching a live stream. Payment and schedule are in livestream.ts.

/** Limits that the frontend uses as well. In seconds unless the name has another unit. */
export const BROADCAST = {
  /** Interval at which a viewer's page renews its seat. */
  renewSeconds: 20,
  /** A seat that was not renewed for this long is free again. */
  seatSeconds: 60,
  /** A broadcast without a signal ends after this time. */
  reconnectSeconds: 30,
  /** How early before the start a signal is accepted. */
  earlyMinutes: 30,
  /** A stream key for OBS: the event's id, then a random secret. */
  keyPattern: /^[1-9]\d{0,9}-[\w-]{32}$/,
  maxUrl: 500,
} as const;

/**
 * `rtmp`: an encoder such as OBS; `whip`: a browser's camera; `outside`: the organizer streams on another site, and the
 * frontend embeds that site's URL; `clip`: the demo's generated clip, labeled as such.
 */
export const BroadcastSource = z.enum(['rtmp', 'whip', 'outside', 'clip']);
export type BroadcastSource = z.infer<typeof BroadcastSource>;

/**
 * `signal`: the signal was lost and did not return; `stopped`: the stream's owner stopped it; `time`: the stream's
 * hours are over; `canceled`: its event was canceled.
 */
export const BroadcastEndReason = z.enum(['signal', 'stopped', 'time', 'canceled']);
export type BroadcastEndReason = z.infer<typeof BroadcastEndReason>;

/** Validated by `outsideStreamOf`. */
const ADDRESS_WANTED = fault('invalid.stream-address');

/** How the frontend displays a stream on another site: in the frontend's own player, or in a frame. */
export interface OutsideStream {
  kind: 'hls' | 'embed';
  url: string;
}

/** Sites whose players a page may embed in a frame. */
export const EMBED_ORIGINS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'] as const;

const YOUTUBE_PATH = /^\/(?:embed\/|live\/|shorts\/)([\w-]{6,20})\/?$/;
const YOUTUBE_ID = /^[\w-]{6,20}$/;
const VIMEO_PATH = /^\/(?:video\/|event\/)?(\d{5,12})\/?$/;

function youtubeId({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname === 'youtu.be') return YOUTUBE_ID.exec(pathname.slice(1))?.[0];
  if (!/^(?:www\.|m\.)?youtube(?:-nocookie)?\.com$/.test(hostname)) return undefined;
  if (pathname === '/watch') return YOUTUBE_ID.exec(searchParams.get('v') ?? '')?.[0];
  return YOUTUBE_PATH.exec(pathname)?.[1];
}

/** How to play the URL that an organizer entered; null: the frontend cannot play the URL. */
export function outsideStreamOf(address: string): OutsideStream | null {
  if (address.length > BROADCAST.maxUrl || !URL.canParse(address)) return null;
  const url = new URL(address);
  // A public host name: no IP address, port or credentials.
  if (url.protocol !== 'https:' || url.port || url.username || url.password) return null;
  if (!/^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(url.hostname)) return null;
  const video = youtubeId(url);
  if (video) return { kind: 'embed', url: `${EMBED_ORIGINS[0]}/embed/${video}` };
  const vimeo = /^(?:www\.|player\.)?vimeo\.com$/.test(url.hostname) ? VIMEO_PATH.exec(url.pathname)?.[1] : undefined;
  if (vimeo) return { kind: 'embed', url: `${EMBED_ORIGINS[1]}/video/${vimeo}` };
  if (!url.pathname.endsWith('.m3u8')) return null;
  url.hash = '';
  return { kind: 'hls', url: url.href };
}

/** PUT /api/broadcasts/{eventId}/url; null removes the URL. */
export const BroadcastUrlBody = z.strictObject({
  livestreamUrl: z
    .string(ADDRESS_WANTED)
    .trim()
    .refine((address) => outsideStreamOf(address) !== null, ADDRESS_WANTED)
    .nullable(),
});
export type BroadcastUrlBody = z.infer<typeof BroadcastUrlBody>;

/** URLs that accept a signal. `reason` explains to the organizer what is unavailable. */
export const IngestState = z.object({
  /** For an encoder: `rtmp://host/live`, to use with the stream key. null: unavailable. */
  rtmpUrl: z.string().nullable(),
  /** For the browser's camera (`POST /api/broadcasts/{eventId}/whip`). null: unavailable. */
  whipUrl: z.string().nullable(),
  /** Why one or both URLs are unavailable; null: both URLs are available. */
  reason: Said.nullable(),
});
export type IngestState = z.infer<typeof IngestState>;

/**
 * GET /api/stream-sources: the kinds of signal that this installation can receive now. Pages show it before anyone pays
 * for a live stream.
 */
export const StreamSources = z.object({
  /** An encoder such as OBS. */
  encoder: z.boolean(),
  /** The browser's camera. */
  camera: z.boolean(),
});
export type StreamSources = z.infer<typeof StreamSources>;

/** A recorded section of a broadcast, from the beginning of a signal to its end. */
export const Recording = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  durationSeconds: z.number(),
  bytes: z.int(),
  /**
   * An MP4 on this site; range requests are supported. The signed URL expires after a few hours; each response contains
   * a new URL.
   */
  url: z.string(),
});
export type Recording = z.infer<typeof Recording>;

/** GET /api/broadcasts/{eventId}, for the event's owner and admins. 404 if the event has no live stream. */
export const Broadcast = z.object({
  eventId: z.int(),
  title: z.string(),
  /**
   * `live` from the first picture of the signal; `ended` once the owner stops the broadcast, its signal is lost, or its
   * time is over.
   */
  status: LivestreamStatus,
  ...ConfiguredLivestream.shape,
  /** True if viewers need a ticket of the event. */
  isTicketed: z.boolean(),
  source: BroadcastSource.nullable(),
  /** True while a signal arrives; false while a live stream waits for its signal to return. */
  isReceiving: z.boolean(),
  liveSince: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  endReason: BroadcastEndReason.nullable(),
  /** True if `start` or a signal is accepted now; otherwise `notNow` has the reason. */
  canStart: z.boolean(),
  notNow: Said.nullable(),
  ingest: IngestState,
  /**
   * Describes the current stream key; null: there is no key. Only the response that creates a key contains the key.
   * `ending`: the key's last four characters.
   */
  streamKey: z.object({ madeAt: z.iso.datetime(), ending: z.string() }).nullable(),
  livestreamUrl: z.string().nullable(),
  viewers: z.object({
    now: z.int(),
    peak: z.int(),
    /** Number of people who watched at any time. */
    total: z.int(),
    /** One point per minute of the live stream, oldest first, at most 720. */
    points: z.array(z.object({ at: z.iso.datetime(), viewers: z.int() })),
  }),
  recordings: z.array(Recording),
  /** A recording is being processed. */
  isRecordingPending: z.boolean(),
});
export type Broadcast = z.infer<typeof Broadcast>;

/**
 * POST /api/broadcasts/{eventId}/key (201): the new key, which no later response contains. The previous key stops
 * working.
 */
export const StreamKey = z.object({ streamKey: z.string(), madeAt: z.iso.datetime() });
export type StreamKey = z.infer<typeof StreamKey>;

// POST /api/broadcasts/{eventId}/start: goes live from `livestreamUrl`. If the broadcast has no such URL, accepts a
// signal again after `stop`. Returns `Broadcast`. POST /api/broadcasts/{eventId}/stop: ends the broadcast, disconnects
// the signal and rejects signals until `start`. Returns `Broadcast`. Both calls are idempotent. Both calls return 409
// if the broadcast's state does not allow the call: `not-yet`, `over`, `broadcast-canceled`, `nothing-to-show`.

/** Maximum size of a browser's SDP offer. */
export const MAX_OFFER_BYTES = 64 * 1024;
// POST /api/broadcasts/{eventId}/whip (owner's token, body `application/sdp`) returns 201 with the SDP answer and a
// `Location`; DELETE of that URL ends the signal (RFC 9725). 409 `not-yet`, `over`, `already-on-air`; 503
// `ingest-unavailable`.

/** Why a viewer may not watch. `full`: all paid seats are taken. */
export const ViewerBar = z.enum(['sign-in', 'ticket', 'full']);
export type ViewerBar = z.infer<typeof ViewerBar>;

/**
 * GET /api/live-streams/{eventId}/playback, with or without a token: what the caller could watch. The call takes no
 * seat.
 */
export const Playback = z.object({
  eventId: z.int(),
  title: z.string(),
  status: LivestreamStatus,
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  chatEnabled: z.boolean(),
  isTicketed: z.boolean(),
  /** True while a signal arrives. If false, the viewer waits until the signal returns or the stream ends. */
  isReceiving: z.boolean(),
  /** True if the stream plays the demo's generated clip instead of a camera. */
  isClip: z.boolean(),
  viewers: z.int(),
  maxViewers: z.int(),
  /** Why the reader may not watch; null: the reader may watch. */
  bar: ViewerBar.nullable(),
  /** Only for readers who may watch; otherwise empty. */
  recordings: z.array(Recording),
});
export type Playback = z.infer<typeof Playback>;

/**
 * PUT /api/live-streams/{eventId}/viewers/{viewerId}: takes a seat. Repeating the call within `seatSeconds` renews the
 * seat and returns the same shape. `viewerId` is a UUID that the frontend generates for each open page. Problems: 401
 * `sign-in-needed`, 403 `ticket-needed`, 409 `stream-full`, `not-live`, `too-many-pages`, `too-many-viewers-here`, each
 * with a sentence for the viewer in `detail`. DELETE frees the seat.
 */
export const ViewerSeat = z.object({
  /** `hls`: for the frontend's player, even if the stream is on another site; `embed`: for a frame. */
  kind: z.enum(['hls', 'embed']),
  /** Valid for this viewer while the seat is renewed. The URL from an earlier response stays valid. */
  url: z.string(),
  isReceiving: z.boolean(),
  isClip: z.boolean(),
  viewers: z.int(),
  renewSeconds: z.int(),
});
export type ViewerSeat = z.infer<typeof ViewerSeat>;

/**
 * POST /internal/broadcasts/{eventId}/clip: plays the demo's clip for this kind of place until the stream's hours are
 * over. Returns 204.
 */
export const PlayClipBody = z.strictObject({ clip: LivestreamCategory });

/** GET /internal/viewers?events=1,2: numbers of current viewers; events without viewers are omitted. */
export const WatchedBroadcasts = z.object({ viewers: z.array(z.object({ eventId: z.int(), viewers: z.int() })) });
export const WatchedQuery = z.object({
  events: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10}){0,199}$/)
    .transform((text) => text.split(',').map(Number)),
});

/** media: a broadcast's signal began, for the first time or after it had ended. */
export const BroadcastStartedV1 = z.object({
  ...envelope,
  type: z.literal('media.broadcast-started'),
  version: z.literal(1),
  data: z.object({
    eventId: z.int(),
    /** Version of the broadcast's stream. The message with the higher version is newer. */
    version: z.int().positive(),
    source: BroadcastSource,
    startedAt: z.iso.datetime(),
  }),
});
export type BroadcastStartedV1 = z.infer<typeof BroadcastStartedV1>;

/** media: a broadcast ended. Its organizer may start it again. */
export const BroadcastEndedV1 = z.object({
  ...envelope,
  type: z.literal('media.broadcast-ended'),
  version: z.literal(1),
  data: z.object({
    eventId: z.int(),
    version: z.int().positive(),
    reason: BroadcastEndReason,
    endedAt: z.iso.datetime(),
  }),
});
export type BroadcastEndedV1 = z.infer<typeof BroadcastEndedV1>;
