import { z } from 'zod';
import type { Watching } from '@beltway/contracts/realtime';
import type { RealtimeServer, RealtimeSocket } from '../sockets.ts';
import type { Presence } from './presence.ts';

/** Never trust types: a browser sends what it likes. */
const EventId = z.int().positive().max(2_147_483_647).nullable();

const roomOf = (eventId: number) => `looking ${eventId}`;

/** To the sockets of this instance only: each instance counts for its own. */
export const tellLookers = (io: RealtimeServer, watching: Watching) =>
  void io.local.to(roomOf(watching.eventId)).emit('realtime.watching-changed', watching);

/** Lets a socket say which event its page is about, one at a time. A message of another shape is ignored; the end of the connection is a going. */
export function letLook(socket: RealtimeSocket, { come, go }: Presence): void {
  let at: number | null = null;

  function moveTo(eventId: number | null): void {
    if (at !== null) {
      void socket.leave(roomOf(at));
      go(at);
    }
    at = eventId;
  }

  socket.on('look-at', (eventId: unknown, answer?: unknown) => {
    const id = EventId.safeParse(eventId);
    if (!id.success) return;
    const answerWith = typeof answer === 'function' ? (watching: number) => void answer(watching) : undefined;
    moveTo(id.data);
    if (id.data === null) return answerWith?.(0);
    void socket.join(roomOf(id.data));
    come(id.data, answerWith);
  });
  socket.on('disconnect', () => moveTo(null));
}
