import { renewSession } from '../http/http.ts';
import { sessionStore } from '../storage/session-store.ts';
import type { PageSocket } from './socket.ts';

/** Milliseconds that the server has to say whose a token is. */
const ANSWER_MS = 5_000;
/** A token is renewed for the connection once in so many milliseconds at most: a server that refuses the new one as well has another fault. */
const RENEWAL_MS = 60_000;

let introduction: Promise<unknown> = Promise.resolve();

/** Resolves once the server knows whose the connection is, or does not answer: what is sent from then on is this account's. */
export async function identified(): Promise<void> {
  for (let known; known !== introduction;) {
    known = introduction;
    await known;
  }
}

const introduced = new WeakSet<PageSocket>();

/**
 * From now on tells the server whose the connection is: when it is made, with each fresh token, and that nobody is signed in any
 * more. To call before one's own `connect` is heard.
 */
export function introduce(socket: PageSocket): void {
  if (introduced.has(socket)) return;
  introduced.add(socket);
  /** As the server knows it. */
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
  /** A fresh token comes by the session. Without one the page is a guest here; the next call by HTTP says that the session is over. */
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
