import { z } from 'zod';
import { Said, envelope } from '../common/basics.ts';
import { ConfiguredLivestream, LivestreamCategory, LivestreamStatus } from '../catalog/livestream.ts';
import { fault } from '../problems/fault.ts';

// How a live stream is sent and watched. What was paid for and when it takes place is in livestream.ts.

/** Seconds, but for the last: bounds that pages need too. */
export const BROADCAST = {
  /** A page that watches says so again after so many. */
  renewSeconds: 20,
  /** Who did not say so again for so long has left. */
  seatSeconds: 60,
  /** A broadcast whose signal is gone ends after so many, unless it comes back. */
  reconnectSeconds: 30,
  /** From so long before the start on a signal is taken. */
  earlyMinutes: 30,
  /** A stream key, as OBS sends it: the event's number, then what nobody can guess. */
  keyPattern: /^[1-9]\d{0,9}-[\w-]{32}$/,
  maxUrl: 500,
} as const;

/**
 * `rtmp`: an encoder such as OBS; `whip`: a browser's camera; `outside`: the organizer streams elsewhere, and the page shows that address;
 * `clip`: a made-up clip that the demo plays, marked as such.
 */
export const BroadcastSource = z.enum(['rtmp', 'whip', 'outside', 'clip']);
export type BroadcastSource = z.infer<typeof BroadcastSource>;

/** `signal`: it went and did not come back; `stopped`: by its owner; `time`: its hours were over; `canceled`: with its event. */
export const BroadcastEndReason = z.enum(['signal', 'stopped', 'time', 'canceled']);
export type BroadcastEndReason = z.infer<typeof BroadcastEndReason>;

/** What an organizer may write; it is judged by `outsideStreamOf`. */
const ADDRESS_WANTED = fault('invalid.stream-address');

/** How an outside address is shown: by the page's player, or in a frame of the site that it belongs to. */
export interface OutsideStream {
  kind: 'hls' | 'embed';
  url: string;
}

/** Sites whose players a page may show in a frame. */
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

/** What an address written by an organizer is played as; null: nothing that a page can show. */
export function outsideStreamOf(address: string): OutsideStream | null {
  if (address.length > BROADCAST.maxUrl || !URL.canParse(address)) return null;
  const url = new URL(address);
  // A name of the public net: no number, no port, nobody's password.
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

/** PUT /api/broadcasts/{eventId}/url; null: none any more. */
export const BroadcastUrlBody = z.strictObject({
  livestreamUrl: z
    .string(ADDRESS_WANTED)
    .trim()
    .refine((address) => outsideStreamOf(address) !== null, ADDRESS_WANTED)
    .nullable(),
});
export type BroadcastUrlBody = z.infer<typeof BroadcastUrlBody>;

/** Where a signal can be sent. What is not there says why, in a sentence for the organizer. */
export const IngestState = z.object({
  /** For an encoder: `rtmp://host/live`, with the stream key as its key. Null: not here. */
  rtmpUrl: z.string().nullable(),
  /** For the browser's camera (`POST /api/broadcasts/{eventId}/whip`). Null: not here. */
  whipUrl: z.string().nullable(),
  /** Why one of them, or both, are not to be had here; null: both are. */
  reason: Said.nullable(),
});
export type IngestState = z.infer<typeof IngestState>;

/** GET /api/stream-sources: what this installation can take a signal from now, before anyone pays for a live stream. */
export const StreamSources = z.object({
  /** An encoder such as OBS. */
  encoder: z.boolean(),
  /** The browser's camera. */
  camera: z.boolean(),
});
export type StreamSources = z.infer<typeof StreamSources>;

/** A part of a broadcast that was kept: from a signal's begin until it went. */
export const Recording = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  durationSeconds: z.number(),
  bytes: z.int(),
  /** An MP4 with ranges, on this site; it opens for some hours. Asked for anew it is another. */
  url: z.string(),
});
export type Recording = z.infer<typeof Recording>;

/** GET /api/broadcasts/{eventId}, for who owns the event and admins. 404: the event has no live stream. */
export const Broadcast = z.object({
  eventId: z.int(),
  title: z.string(),
  /** Where the broadcast stands: live from the first picture on, ended when it was stopped, lost or is over. */
  status: LivestreamStatus,
  ...ConfiguredLivestream.shape,
  /** Whether viewers need a ticket of the event. */
  isTicketed: z.boolean(),
  source: BroadcastSource.nullable(),
  /** Live, and a signal comes; false while one waits for it to come back. */
  isReceiving: z.boolean(),
  liveSince: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  endReason: BroadcastEndReason.nullable(),
  /** Whether `start` and a signal are taken now; else `notNow` says why. */
  canStart: z.boolean(),
  notNow: Said.nullable(),
  ingest: IngestState,
  /** The key itself is shown once, when it is made; null: none was made. `ending`: its last four characters. */
  streamKey: z.object({ madeAt: z.iso.datetime(), ending: z.string() }).nullable(),
  livestreamUrl: z.string().nullable(),
  viewers: z.object({
    now: z.int(),
    peak: z.int(),
    /** People who watched at any time. */
    total: z.int(),
    /** One a minute while it is live, oldest first, 720 at most. */
    points: z.array(z.object({ at: z.iso.datetime(), viewers: z.int() })),
  }),
  recordings: z.array(Recording),
  /** A recording that is being made ready. */
  isRecordingPending: z.boolean(),
});
export type Broadcast = z.infer<typeof Broadcast>;

/** POST /api/broadcasts/{eventId}/key (201): the new key, shown this once. The one before is cut off. */
export const StreamKey = z.object({ streamKey: z.string(), madeAt: z.iso.datetime() });
export type StreamKey = z.infer<typeof StreamKey>;

// POST /api/broadcasts/{eventId}/start: live now from `livestreamUrl`; without one, a signal is taken again after `stop`. Answers `Broadcast`.
// POST /api/broadcasts/{eventId}/stop: ends it and cuts a signal off, which is refused until `start`. Answers `Broadcast`.
// 409 where the state does not allow it: `not-yet`, `over`, `broadcast-canceled`, `nothing-to-show`; repeated, they change nothing.

/** Largest SDP offer of a browser. */
export const MAX_OFFER_BYTES = 64 * 1024;
// POST /api/broadcasts/{eventId}/whip (owner's token, body `application/sdp`) → 201 with the SDP answer and `Location`, which DELETE ends
// (RFC 9725). 409 `not-yet`, `over`, `already-on-air`; 503 `ingest-unavailable`.

/** Why a viewer may not watch. `full`: everybody that was paid for is watching. */
export const ViewerBar = z.enum(['sign-in', 'ticket', 'full']);
export type ViewerBar = z.infer<typeof ViewerBar>;

/** GET /api/live-streams/{eventId}/playback, with or without a token: what the reader would see. Takes no seat. */
export const Playback = z.object({
  eventId: z.int(),
  title: z.string(),
  status: LivestreamStatus,
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  chatEnabled: z.boolean(),
  isTicketed: z.boolean(),
  /** Live, and pictures come; false: please wait, it comes back or ends. */
  isReceiving: z.boolean(),
  /** Whether what is shown is the demo's made-up clip and no camera. */
  isClip: z.boolean(),
  viewers: z.int(),
  maxViewers: z.int(),
  /** Why the reader may not watch; null: they may. */
  bar: ViewerBar.nullable(),
  /** For who may watch; otherwise none. */
  recordings: z.array(Recording),
});
export type Playback = z.infer<typeof Playback>;

/**
 * PUT /api/live-streams/{eventId}/viewers/{viewerId}: takes a seat, and keeps it when sent again within `seatSeconds`, with the same
 * answer's fields anew. `viewerId` is a UUID that the page makes for itself (one per open page). Refused with a problem: 401 `sign-in-needed`,
 * 403 `ticket-needed`, 409 `stream-full`, `not-live`, `too-many-pages`, `too-many-viewers-here`, each with a sentence for the viewer in `detail`. DELETE of the same gives it back.
 */
export const ViewerSeat = z.object({
  /** `hls`: for the player, also from elsewhere; `embed`: for a frame. */
  kind: z.enum(['hls', 'embed']),
  /** Opens for this viewer, for as long as the seat is renewed: an address that was kept goes on working from answer to answer. */
  url: z.string(),
  isReceiving: z.boolean(),
  isClip: z.boolean(),
  viewers: z.int(),
  renewSeconds: z.int(),
});
export type ViewerSeat = z.infer<typeof ViewerSeat>;

/** POST /internal/broadcasts/{eventId}/clip: plays the demo's clip for this kind of place, until the stream's hours are over. Answers 204. */
export const PlayClipBody = z.strictObject({ clip: LivestreamCategory });

/** GET /internal/viewers?events=1,2: how many watch these events now; those that nobody watches are left out. */
export const WatchedBroadcasts = z.object({ viewers: z.array(z.object({ eventId: z.int(), viewers: z.int() })) });
export const WatchedQuery = z.object({
  events: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10}){0,199}$/)
    .transform((text) => text.split(',').map(Number)),
});

/** media: pictures of a broadcast come, for the first time or after it had ended. */
export const BroadcastStartedV1 = z.object({
  ...envelope,
  type: z.literal('media.broadcast-started'),
  version: z.literal(1),
  data: z.object({
    eventId: z.int(),
    /** Of the broadcast's stream: of two messages the higher is the newer. */
    version: z.int().positive(),
    source: BroadcastSource,
    startedAt: z.iso.datetime(),
  }),
});
export type BroadcastStartedV1 = z.infer<typeof BroadcastStartedV1>;

/** media: a broadcast is over, unless its organizer starts it again. */
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
