import { renewSession } from '../http/http.ts';
import { sessionStore } from '../storage/session-store.ts';
import type { PageSocket } from './socket.ts';

/** How long the server may take to authenticate a token. In milliseconds. */
const ANSWER_MS = 5_000;
/**
 * Minimum milliseconds between renewals for the connection. If the server rejects a fresh token, renewing again does
 * not help.
 */
const RENEWAL_MS = 60_000;

let introduction: Promise<unknown> = Promise.resolve();

/**
 * Resolves once the connection is authenticated, so that later messages are sent as this account. If the server does
 * not respond in time, resolves anyway.
 */
export async function identified(): Promise<void> {
  for (let known; known !== introduction;) {
    known = introduction;
    await known;
  }
}

const introduced = new WeakSet<PageSocket>();

/**
 * Keeps the connection authenticated: on connect, with each fresh token, and on sign-out. Call it before adding your
 * own `connect` listener.
 */
export function introduce(socket: PageSocket): void {
  if (introduced.has(socket)) return;
  introduced.add(socket);
  /** The token that the server has. */
  let told: string | null = null;
  let renewedAt = -Infinity;

  const tell = (token: string | null) => {
    told = token;
    introduction = new Promise<void>((resolve) => {
      setTimeout(resolve, ANSWER_MS);
      socket.emit('authenticate', { token }, (answer) => {
        resolve('error' in answer && token === told ? renew() : undefined);
      });
    });
  };
  /**
   * Renews the session; `tellChange` then sends the fresh token. If the renewal fails, this connection is a guest's,
   * and the next HTTP call ends the session.
   */
  const renew = async () => {
    const { token } = sessionStore.get();
    if (token === null || Date.now() - renewedAt < RENEWAL_MS) return;
    renewedAt = Date.now();
    await renewSession(token).catch(() => undefined);
  };
  const tellChange = () => {
    const { token } = sessionStore.get();
    if (socket.connected && token !== told) tell(token);
  };
  tellChange();
  socket.on('connect', () => {
    told = null;
    tellChange();
  });
  socket.on('token-expired', () => {
    introduction = renew();
  });
  sessionStore.subscribe(tellChange);
}
