import { Playback, ViewerSeat } from '@beltway/contracts/media/broadcast';
import { LiveStreamList, type LiveStream } from '@beltway/contracts/catalog/livestream';
import { put } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';

/** Polling interval of lists and states, in milliseconds (services/catalog/PRODUCT.md#live-streams); the socket refreshes sooner. */
const POLL_MS = 30_000;

/** Milliseconds until the next poll, which is sooner when one of these streams begins or ends; not all browsers ask at the same moment. */
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

/** GET /api/live-streams/{eventId}/playback: what this reader would see. */
export const playbackQuery = (eventId: number) => ({
  ...apiQuery(Playback, '/api/live-streams', eventId, 'playback'),
  refetchInterval: ({ state: { data } }: { state: { data: Playback | undefined } }) => nextPoll(data ? [data] : []),
  staleTime: 0,
});

const seatPath = (eventId: number, viewerId: string) => `/api/live-streams/${eventId}/viewers/${viewerId}`;

/** Takes a seat or keeps it. A refusal is an `HttpError` with a sentence for the viewer. */
export const takeSeat = (eventId: number, viewerId: string): Promise<ViewerSeat> =>
  put(seatPath(eventId, viewerId), undefined, ViewerSeat, {
    // Without an account a 401 asks for one; it does not mean that a session has expired.
    session: sessionStore.get().token !== null,
  });

/** Gives a seat back, also while the page goes. When that fails the seat is free after a minute. */
export function leaveSeat(eventId: number, viewerId: string): void {
  const token = sessionStore.latestToken();
  void fetch(seatPath(eventId, viewerId), {
    method: 'DELETE',
    keepalive: true,
    credentials: 'include',
    headers: token ? { authorization: `Bearer ${token}` } : { 'x-requested-with': 'beltway' },
  }).catch(() => undefined);
}
