import { Playback, ViewerSeat } from '@beltway/contracts/media/broadcast';
import { LiveStreamList, type LiveStream } from '@beltway/contracts/catalog/livestream';
import { put } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';

/**
 * Polling interval of the stream list and of a stream's state, in milliseconds
 * (services/catalog/PRODUCT.md#live-streams). A socket message usually triggers a refresh sooner.
 */
const POLL_MS = 30_000;

/**
 * Milliseconds until the next poll: less than `POLL_MS` if a stream begins or ends before then. A random delay spreads
 * the load.
 */
function nextPoll(streams: ReadonlyArray<Pick<Playback, 'startTime' | 'endTime'>>): number {
  const now = serverNow();
  const left = streams.flatMap(({ startTime, endTime }) => [startTime, endTime]).map((at) => Date.parse(at) - now);
  return Math.min(POLL_MS, ...left.filter((ms) => ms > 0).map((ms) => ms + 250 + Math.random() * 2_000));
}

/** GET /api/live-streams */
export const liveStreamsQuery = () => ({
  ...apiQuery(LiveStreamList, '/api/live-streams'),
  refetchInterval: ({ state }: { state: { data: LiveStream[] | undefined } }) => nextPoll(state.data ?? []),
});

/** GET /api/live-streams/{eventId}/playback: what this viewer may watch. */
export const playbackQuery = (eventId: number) => ({
  ...apiQuery(Playback, '/api/live-streams', eventId, 'playback'),
  refetchInterval: ({ state: { data } }: { state: { data: Playback | undefined } }) => nextPoll(data ? [data] : []),
  staleTime: 0,
});

const seatPath = (eventId: number, viewerId: string) => `/api/live-streams/${eventId}/viewers/${viewerId}`;

/** Acquires or renews a seat. A refusal throws an `HttpError` with a text for the viewer. */
export const takeSeat = (eventId: number, viewerId: string): Promise<ViewerSeat> =>
  put(seatPath(eventId, viewerId), undefined, ViewerSeat, {
    // Without an account, a 401 means that the stream requires one, not that a session has expired.
    session: sessionStore.get().token !== null,
  });

/** Releases a seat, even while the page unloads. If the call fails, the seat expires after a minute. */
export function leaveSeat(eventId: number, viewerId: string): void {
  const token = sessionStore.latestToken();
  void fetch(seatPath(eventId, viewerId), {
    method: 'DELETE',
    keepalive: true,
    credentials: 'include',
    headers: token ? { authorization: `Bearer ${token}` } : { 'x-requested-with': 'beltway' },
  }).catch(() => undefined);
}
