import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Router, type Response } from 'express';
import type { Pool } from 'pg';
import { HttpProblem, notFound, unavailable } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import { clipFile, clipPlaylist } from './clip.ts';
import { broadcastRow, type BroadcastRow } from './queries.ts';
import type { Seats } from './seats.ts';
import type { Signing } from './signing.ts';

/** The media server's folders of segments: for signals that are not recorded, and for signals that are. */
export const SEGMENT_FOLDERS = ['hls', 'hls-kept'] as const;

export interface SegmentDeps {
  pool: Pool;
  seats: Pick<Seats, 'isSeated'>;
  signing: Signing;
  /** The media server's folder; undefined if no media server runs here. */
  folder: string | undefined;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const EVENT = /^[1-9]\d{0,9}$/;
const TOKEN = new RegExp(`^(${UUID})\\.([\\w-]{22})$`);
const SEGMENT = new RegExp(`^(${UUID})-(\\d{1,9})\\.ts$`);
const CLIP_SEGMENT = /^clip-(\d{1,3})\.ts$/;
const PLAYLIST = 'index.m3u8';
/** How long a broadcast's state and playlist are cached. Every viewer requests both once a second. */
const FRESH_MS = 500;
/** How long the playlist stays available after the end, so that players see its end marker. */
const ENDING_MS = 60_000;
const MAX_PLAYLIST_BYTES = 64 * 1024;
const MAX_SHOWN = 1_000;

interface Shown {
  text: Promise<string | null>;
  last: string | null;
  readAt: number;
  lastAt: number;
}

const lost = () => new HttpProblem(403, 'seat-lost');

/**
 * Serves playlists and segments of live streams to viewers with a seat: the URL contains the seat's id and our
 * signature. Reads nginx's files from its folder, where files are named by signal. Demo clips are files of this
 * service.
 */
export function segmentRoutes({ pool, seats, signing, folder }: SegmentDeps): Router {
  const router = Router();
  /** The cached playlist of each event. */
  const shown = new Map<number, Shown>();
  /** The event of each signal. */
  const events = new Map<string, number | null>();

  async function read(eventId: number, known: Shown): Promise<string | null> {
    const row = await broadcastRow(pool, eventId);
    if (row?.status === 'live' && row.clip !== null && row.liveSince) {
      known.lastAt = Date.now();
      return clipPlaylist(row.liveSince, new Date());
    }
    if (row?.status !== 'live' || row.session === null || !folder) {
      const isEnding = known.last !== null && Date.now() - known.lastAt < ENDING_MS;
      return isEnding && !known.last!.includes('#EXT-X-ENDLIST') ? `${known.last}#EXT-X-ENDLIST\n` : known.last;
    }
    const text = await fromFolders(folder, row.session, PLAYLIST, (path) => readFile(path, 'utf8'));
    // While a new signal has no playlist yet, the previous playlist continues.
    if (text === null || text.length > MAX_PLAYLIST_BYTES) return known.last;
    known.lastAt = Date.now();
    return numberedOn(text, row as BroadcastRow & { session: string });
  }

  /** Requests within half a second share one response. */
  async function playlist(eventId: number): Promise<string | null> {
    const known = shown.get(eventId) ?? { text: Promise.resolve(null), last: null, readAt: 0, lastAt: 0 };
    if (Date.now() - known.readAt >= FRESH_MS) {
      known.readAt = Date.now();
      known.text = read(eventId, known);
      shown.delete(eventId);
      shown.set(eventId, known);
      if (shown.size > MAX_SHOWN) shown.delete(shown.keys().next().value!);
      known.last = await known.text;
      if (Date.now() - known.lastAt > ENDING_MS) known.last = null;
    }
    return known.text;
  }

  async function eventOf(session: string): Promise<number | null> {
    const known = events.get(session);
    if (known !== undefined) return known;
    const signal = await kysely(pool)
      .selectFrom('broadcastSignals')
      .select('eventId')
      .where('session', '=', session)
      .executeTakeFirst();
    if (!signal) return null;
    const { eventId } = signal;
    events.set(session, eventId);
    if (events.size > MAX_SHOWN) events.delete(events.keys().next().value!);
    return eventId;
  }

  /** A segment of this name, if viewers of this event may see it; otherwise null. */
  async function segment(eventId: number, name: string): Promise<FileHandle | null> {
    const ofClip = CLIP_SEGMENT.exec(name)?.[1];
    if (ofClip !== undefined) {
      const { clip } = (await broadcastRow(pool, eventId)) ?? {};
      const path = clip && clipFile(clip, Number(ofClip));
      return path ? open(path, 'r') : null;
    }
    const [, session, number] = SEGMENT.exec(name) ?? [];
    if (!folder || !session || !number || (await eventOf(session)) !== eventId) return null;
    return fromFolders(folder, session, `${Number(number)}.ts`, (path) => open(path, 'r'));
  }

  router.get('/media/live/:eventId/:token/:name', async (req, res) => {
    const { eventId: event, token, name } = req.params;
    const [, viewerId, signature] = TOKEN.exec(token) ?? [];
    const isSigned =
      viewerId && signature && EVENT.test(event) && signing.isSigned(signature, 'viewer', event, viewerId);
    if (!isSigned) throw notFound('live-stream');
    const eventId = Number(event);
    if (!(await seats.isSeated(eventId, viewerId))) throw lost();
    if (name === PLAYLIST) {
      const text = await playlist(eventId);
      if (text === null) throw unavailable('no-picture-yet', 1);
      kept(res, 'no-store').type('application/vnd.apple.mpegurl').send(text);
      return;
    }
    const file = await segment(eventId, name);
    if (!file) throw notFound('live-part');
    const { size } = await file.stat();
    kept(res, 'private, max-age=60').set({ 'Content-Type': 'video/mp2t', 'Content-Length': String(size) });
    // A client that disconnects early is not an error.
    await pipeline(file.createReadStream({ end: Math.max(size - 1, 0) }), res).catch(() => undefined);
  });

  return router;
}

async function fromFolders<Result>(
  folder: string,
  session: string,
  name: string,
  read: (path: string) => Promise<Result>,
): Promise<Result | null> {
  for (const kind of SEGMENT_FOLDERS) {
    const found = await read(join(folder, kind, session, name)).catch(() => null);
    if (found !== null) return found;
  }
  return null;
}

function kept(res: Response, cacheControl: string): Response {
  return res.set({
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
}

/**
 * Turns one signal's playlist into a part of the whole broadcast. Each segment is named by signal, and its number is
 * higher than the numbers of all earlier signals. Segments last at least a second, so there are fewer earlier segments
 * than seconds since the broadcast began.
 */
function numberedOn(text: string, { session, liveSince, signalSince }: BroadcastRow & { session: string }): string {
  const elapsed = Math.max(0, (signalSince?.getTime() ?? 0) - (liveSince?.getTime() ?? 0)) / 1_000;
  const before = elapsed === 0 ? 0 : Math.ceil(elapsed * 1.2) + 10;
  return text
    .split('\n')
    .map((line) => {
      const number = /^#EXT-X-MEDIA-SEQUENCE:(\d+)$/.exec(line)?.[1];
      if (number !== undefined) return `#EXT-X-MEDIA-SEQUENCE:${Number(number) + before}`;
      const segment = /^(\d+)\.ts$/.exec(line)?.[1];
      return segment === undefined ? line : `${session}-${segment}.ts`;
    })
    .join('\n');
}
