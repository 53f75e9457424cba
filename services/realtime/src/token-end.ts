import type { Authenticator, Caller } from '@beltway/kit/auth';

/** When a token ends, in ms; it was verified before. */
export function endOfToken(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : Infinity;
  } catch {
    return Infinity;
  }
}

/** Calls what is to be done when the token of a socket ended before its time: its session was ended, or all that the account had. Of a suspended account the
 * socket itself ends. */
export interface EndedTokens {
  /** `callerOf`: whom the socket speaks for right now. Stops with `socket`. */
  watch(
    socket: { on(event: 'disconnect', left: () => void): unknown; disconnect(close: true): unknown },
    callerOf: () => Pick<Caller, 'id' | 'sessionId'> | undefined,
    expire: () => void,
  ): void;
}

type Ended = Parameters<Parameters<Authenticator['onEnded']>[0]>[0];

/** Of the sockets of this instance; each instance hears for itself. */
export function endedTokens(auth: Pick<Authenticator, 'onEnded'>): EndedTokens {
  const watching = new Set<(ended: Ended) => void>();
  auth.onEnded((ended) => {
    for (const look of watching) look(ended);
  });
  return {
    watch(socket, callerOf, expire) {
      const look = ({ userId, sessionId, isSuspended }: Ended) => {
        const caller = callerOf();
        if (caller?.id !== userId || (sessionId !== undefined && sessionId !== caller.sessionId)) return;
        expire();
        // Nobody is let in again by this token, and as a guest only from a page that was opened anew.
        if (isSuspended) socket.disconnect(true);
      };
      watching.add(look);
      socket.on('disconnect', () => watching.delete(look));
    },
  };
}
