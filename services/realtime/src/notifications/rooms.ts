import type { Authenticator, Caller } from '@beltway/kit/auth';
import { endOfToken, type EndedTokens } from '../token-end.ts';
import type { RealtimeServer, RealtimeSocket } from '../sockets.ts';

const roomOf = (userId: number) => `account ${userId}`;
/** Longer is no token of ours. */
const MAX_TOKEN = 4_096;

/** Says to all pages of these accounts, at every instance, that there is something new. No word of it: the page asks, with its token. */
export function tellAccounts(io: RealtimeServer, userIds: readonly number[]): void {
  if (userIds.length > 0) io.to(userIds.map(roomOf)).emit('notifications-changed');
}

/**
 * Lets a socket hear of the notifications of whom its token names: of one account at a time. A bad token: of nobody's. It counts what is
 * unread only after it follows, so that nothing rings between the two.
 */
export function letFollow(
  socket: RealtimeSocket,
  {
    auth,
    ended,
    unreadOf,
  }: { auth: Pick<Authenticator, 'verify'>; ended: EndedTokens; unreadOf: (userId: number) => Promise<number> },
): void {
  let followed: Caller | undefined;
  let ending: ReturnType<typeof setTimeout> | undefined;
  /** Counts what was asked: of two answers to come the later question has the last word. */
  let asked = 0;

  async function follow(token: unknown): Promise<boolean> {
    const turn = ++asked;
    const caller =
      typeof token === 'string' && token.length <= MAX_TOKEN
        ? await auth.verify(token).catch(() => undefined)
        : undefined;
    if (turn !== asked) return false;
    if (followed) void socket.leave(roomOf(followed.id));
    followed = caller;
    clearTimeout(ending);
    if (followed) {
      void socket.join(roomOf(followed.id));
      const ms = endOfToken(token as string) - Date.now();
      // Longer waits than a timer takes are those of a token that does not end.
      if (ms < 2 ** 31) ending = setTimeout(expire, Math.max(0, ms)).unref();
    }
    return followed !== undefined;
  }
  /** A session may have ended with its token: the page says again who it is, or hears of nobody. */
  function expire(): void {
    void follow(null);
    socket.emit('token-expired');
  }
  socket.on('disconnect', () => {
    asked++;
    clearTimeout(ending);
  });
  ended.watch(socket, () => followed, expire);

  socket.on('follow-notifications', (token: unknown, answer?: unknown) => {
    void follow(token).then(async (isFollowing) => {
      if (typeof answer !== 'function') return;
      const unread = isFollowing && followed ? await unreadOf(followed.id).catch(() => undefined) : undefined;
      answer(isFollowing, ...(unread === undefined ? [] : [unread]));
    });
  });
}
