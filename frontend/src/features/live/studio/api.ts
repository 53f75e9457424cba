import { Broadcast, StreamKey, type BroadcastUrlBody } from '@beltway/contracts/media/broadcast';
import { apiQuery } from '../../../lib/http/query.ts';
import { post, put, renewSession, toError } from '../../../lib/http/http.ts';
import { expireSession, sessionStore } from '../../../lib/storage/session-store.ts';

/** How often the studio asks, in milliseconds: while it is live, and otherwise. The socket makes some of it sooner. */
const LIVE_MS = 5_000;
const QUIET_MS = 10_000;
/** What was bought a moment ago is there within seconds: for a minute it is asked for again. */
const TRIES = 12;

/** GET /api/broadcasts/{eventId}. HttpError 404: there is no live stream of this account, as far as anybody knows yet. */
export const broadcastQuery = (eventId: number) => ({
  ...apiQuery(Broadcast, '/api/broadcasts', eventId),
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data: Broadcast | undefined; errorUpdateCount: number } }) => {
    if (!state.data) return state.errorUpdateCount < TRIES ? LIVE_MS : false;
    return state.data.status === 'live' ? LIVE_MS : QUIET_MS;
  },
});

/** POST …/key: the new key, shown this once. The one before is void. */
export const makeKey = (eventId: number): Promise<StreamKey> =>
  post(`/api/broadcasts/${eventId}/key`, undefined, StreamKey);

/** PUT …/url: where the organizer streams; null takes it back. */
export const setAddress = (eventId: number, body: BroadcastUrlBody): Promise<Broadcast> =>
  put(`/api/broadcasts/${eventId}/url`, body, Broadcast);

/** POST …/start and …/stop. Repeated, they change nothing. */
export const startBroadcast = (eventId: number): Promise<Broadcast> =>
  post(`/api/broadcasts/${eventId}/start`, undefined, Broadcast);
export const stopBroadcast = (eventId: number): Promise<Broadcast> =>
  post(`/api/broadcasts/${eventId}/stop`, undefined, Broadcast);

/** A path of this site, below `parent` where that is given; null for any other: tokens are sent nowhere else. */
function ownPath(text: string | null, parent?: string): string | null {
  if (!text || !URL.canParse(text, window.location.href)) return null;
  const { origin, pathname } = new URL(text, window.location.href);
  return origin === window.location.origin && (!parent || pathname.startsWith(`${parent}/`)) ? pathname : null;
}

/**
 * Sends a camera's offer (WHIP) and answers with the server's, and with what `endCamera` takes. Throws an HttpError with a sentence for the
 * organizer: 409 outside the hours or after an end, 422 no connection, 503 too many cameras.
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
    expireSession();
    throw new Error('Authentication required');
  }
  if (!response.ok) throw await toError(response);
  return { answer: await response.text(), location: ownPath(response.headers.get('location'), path) };
}

/** Ends a camera's connection, also while the page goes. When that fails the server finds out by itself. */
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
