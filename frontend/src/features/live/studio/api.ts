import { Broadcast, StreamKey, type BroadcastUrlBody } from '@beltway/contracts/media/broadcast';
import { apiQuery } from '../../../lib/http/query.ts';
import { post, put, renewSession, toError } from '../../../lib/http/http.ts';
import { expireSession, sessionStore } from '../../../lib/storage/session-store.ts';

/** Polling intervals of the studio in milliseconds, while live and otherwise. The socket refreshes some data sooner. */
const LIVE_MS = 5_000;
const QUIET_MS = 10_000;
/** Number of polls, one minute in total, for a live stream that was just bought. The stream appears within seconds. */
const TRIES = 12;

/**
 * GET /api/broadcasts/{eventId}. HttpError 404: this account has no live stream for the event, or the server has not
 * received the purchase yet.
 */
export const broadcastQuery = (eventId: number) => ({
  ...apiQuery(Broadcast, '/api/broadcasts', eventId),
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data: Broadcast | undefined; errorUpdateCount: number } }) => {
    if (!state.data) return state.errorUpdateCount < TRIES ? LIVE_MS : false;
    return state.data.status === 'live' ? LIVE_MS : QUIET_MS;
  },
});

/** POST …/key: returns a new key, only this once. The previous key becomes invalid. */
export const makeKey = (eventId: number): Promise<StreamKey> =>
  post(`/api/broadcasts/${eventId}/key`, undefined, StreamKey);

/** PUT …/url: sets the URL of the organizer's stream on another site; null removes the URL. */
export const setAddress = (eventId: number, body: BroadcastUrlBody): Promise<Broadcast> =>
  put(`/api/broadcasts/${eventId}/url`, body, Broadcast);

/** POST …/start and …/stop. Both are idempotent. */
export const startBroadcast = (eventId: number): Promise<Broadcast> =>
  post(`/api/broadcasts/${eventId}/start`, undefined, Broadcast);
export const stopBroadcast = (eventId: number): Promise<Broadcast> =>
  post(`/api/broadcasts/${eventId}/stop`, undefined, Broadcast);

/**
 * Returns `text` if it is a path of this site, below `parent` if given. Otherwise returns null, so that a token is
 * never sent to another site.
 */
function ownPath(text: string | null, parent?: string): string | null {
  if (!text || !URL.canParse(text, window.location.href)) return null;
  const { origin, pathname } = new URL(text, window.location.href);
  return origin === window.location.origin && (!parent || pathname.startsWith(`${parent}/`)) ? pathname : null;
}

/**
 * Sends a camera's offer (WHIP) and returns the server's answer and the location for `endCamera`. Throws an HttpError
 * with a sentence for the organizer: 409 outside the stream's hours or after the broadcast ended, 422 no connection,
 * 503 too many cameras.
 */
export async function sendOffer(whipUrl: string, sdp: string): Promise<{ answer: string; location: string | null }> {
  const path = ownPath(whipUrl);
  if (!path) throw new Error('The address for the camera is none of this site.');
  const send = () =>
    fetch(path, {
      ...{ method: 'POST', credentials: 'include', body: sdp },
      headers: { accept: 'application/sdp', 'content-type': 'application/sdp', ...authorization() },
    });
  const token = sessionStore.latestToken();
  let response = await send();
  if (response.status === 401 && token !== null && (await renewSession(token))) response = await send();
  if (response.status === 401) {
    if (token === null || !sessionStore.hasSignedOut()) expireSession();
    throw new Error('Authentication required');
  }
  if (!response.ok) throw await toError(response);
  return { answer: await response.text(), location: ownPath(response.headers.get('location'), path) };
}

/**
 * Ends a camera's connection, even while the page unloads. If the call fails, the server detects the lost connection.
 */
export function endCamera(location: string): void {
  void fetch(location, {
    ...{ method: 'DELETE', keepalive: true, credentials: 'include' },
    headers: authorization(),
  }).catch(() => undefined);
}

function authorization(): Record<string, string> {
  const token = sessionStore.latestToken();
  return token ? { authorization: `Bearer ${token}` } : { 'x-requested-with': 'beltway' };
}
