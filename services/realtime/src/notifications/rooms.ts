import type { Authenticator } from '@beltway/kit/auth';
import type { RealtimeServer, RealtimeSocket } from '../sockets.ts';

const roomOf = (userId: number) => `account ${userId}`;
/** Longer is no token of ours. */
const MAX_TOKEN = 4_096;

/** Says to all pages of these accounts, at every instance, that there is something new. No word of it: the page asks, with its token. */
export function tellAccounts(io: RealtimeServer, userIds: readonly number[]): void {
  if (userIds.length > 0) io.to(userIds.map(roomOf)).emit('notifications-changed');
}

/** Lets a socket hear of the notifications of whom its token names: of one account at a time. A bad token: of nobody's. */
export function letFollow(socket: RealtimeSocket, auth: Pick<Authenticator, 'verify'>): void {
  let followed: number | null = null;
  /** Counts what was asked: of two answers to come the later question has the last word. */
  let asked = 0;

  async function follow(token: unknown): Promise<boolean> {
    const turn = ++asked;
    const caller =
      typeof token === 'string' && token.length <= MAX_TOKEN
        ? await auth.verify(token).catch(() => undefined)
        : undefined;
    if (turn !== asked) return false;
    if (followed !== null) void socket.leave(roomOf(followed));
    followed = caller?.id ?? null;
    if (followed !== null) void socket.join(roomOf(followed));
    return followed !== null;
  }

  socket.on('follow-notifications', (token: unknown, answer?: unknown) => {
    void follow(token).then((isFollowing) => {
      if (typeof answer === 'function') answer(isFollowing);
    });
  });
}
