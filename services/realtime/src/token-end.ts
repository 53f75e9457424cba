import type { Authenticator, Caller } from '@beltway/kit/auth';

/** When a token expires, in ms. The token must have been verified before. */
export function endOfToken(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : Infinity;
  } catch {
    return Infinity;
  }
}

/**
 * Calls back when the session of a socket's token, or all sessions of the account, ended before the token expired. The
 * socket of a suspended account is disconnected.
 */
export interface EndedTokens {
  /** `callerOf` returns the socket's current account. Stops when `socket` disconnects. */
  watch(
    socket: { on(event: 'disconnect', left: () => void): unknown; disconnect(close: true): unknown },
    callerOf: () => Pick<Caller, 'id' | 'sessionId'> | undefined,
    expire: () => void,
  ): void;
}

type Ended = Parameters<Parameters<Authenticator['onEnded']>[0]>[0];

/** Covers the sockets of this instance, because each instance consumes the messages itself. */
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
        // This token is refused from now on. A reloaded page may connect as a guest.
        if (isSuspended) socket.disconnect(true);
      };
      watching.add(look);
      socket.on('disconnect', () => watching.delete(look));
    },
  };
}
