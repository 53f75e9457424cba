import type { Authenticator, Caller } from '@beltway/kit/auth';
import { endOfToken, type EndedTokens } from '../token-end.ts';
import type { RealtimeServer, RealtimeSocket } from '../sockets.ts';

const roomOf = (userId: number) => `account ${userId}`;
/** No token of ours is longer. */
const MAX_TOKEN = 4_096;

/**
 * Informs all pages of these accounts, at every instance, that notifications changed. Sends no content, because each
 * page fetches the content with its token.
 */
export function tellAccounts(io: RealtimeServer, userIds: readonly number[]): void {
  if (userIds.length > 0) io.to(userIds.map(roomOf)).emit('notifications-changed');
}

/**
 * Subscribes a socket to the notifications of its token's account, one account at a time. A bad token unsubscribes the
 * socket. Unread notifications are counted after the subscription, so that no notification is missed in between.
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
  /** Numbers the requests, so that the latest request wins even if an earlier one ends later. */
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
      // If the token ends later than a timer can wait, no timer is set.
      if (ms < 2 ** 31) ending = setTimeout(expire, Math.max(0, ms)).unref();
    }
    return followed !== undefined;
  }
  /**
   * The session may have ended together with the token, so the page must authenticate again to receive notifications.
   */
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
