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

/** Calls what is to be done when the token of a socket ended before its time: its session was ended, or all that the account had. */
export interface EndedTokens {
  /** `callerOf`: whom the socket speaks for right now. Stops with `socket`. */
  watch(
    socket: { on(event: 'disconnect', left: () => void): unknown },
    callerOf: () => Pick<Caller, 'id' | 'sessionId'> | undefined,
    expire: () => void,
  ): void;
}

/** Of the sockets of this instance; each instance hears for itself. */
export function endedTokens(auth: Pick<Authenticator, 'onEnded'>): EndedTokens {
  const watching = new Set<(userId: number, sessionId: string | undefined) => void>();
  auth.onEnded(({ userId, sessionId }) => {
    for (const look of watching) look(userId, sessionId);
  });
  return {
    watch(socket, callerOf, expire) {
      const look = (userId: number, sessionId: string | undefined) => {
        const caller = callerOf();
        if (caller?.id === userId && (sessionId === undefined || sessionId === caller.sessionId)) expire();
      };
      watching.add(look);
      socket.on('disconnect', () => watching.delete(look));
    },
  };
}
