import { z } from 'zod';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import type { RealtimeServer, RealtimeSocket } from '../sockets.ts';

/** Events one socket may watch: a page lists 200 at most, and watches those it shows. */
export const MAX_WATCHED = 250;

/** Never trust types: a browser sends what it likes. */
const EventIds = z.array(z.int().positive().max(2_147_483_647)).max(1_000);

const roomOf = (eventId: number) => `stock ${eventId}`;

/** To the sockets of this instance only: each instance hears of the stock itself. */
export const tellWatchers = (io: RealtimeServer, stock: Availability) =>
  void io.local.to(roomOf(stock.eventId)).emit('ticketing.stock-changed', stock);

/**
 * Lets a socket say which events its page shows. A message of another shape is ignored, and so are events above the limit; the
 * answer says how many are watched. What changed just before the watch began is told at once.
 */
export function letWatch(socket: RealtimeSocket, recent: (eventId: number) => Availability | undefined): void {
  const watched = new Set<number>();

  socket.on('watch-stock', (eventIds: unknown, answer?: unknown) => {
    const ids = EventIds.safeParse(eventIds);
    if (!ids.success) return;
    const added = [...new Set(ids.data)].filter((id) => !watched.has(id)).slice(0, MAX_WATCHED - watched.size);
    added.forEach((id) => watched.add(id));
    void socket.join(added.map(roomOf));
    if (typeof answer === 'function') answer(watched.size);
    for (const id of added) {
      const stock = recent(id);
      if (stock) socket.emit('ticketing.stock-changed', stock);
    }
  });

  socket.on('unwatch-stock', (eventIds: unknown) => {
    const ids = EventIds.safeParse(eventIds);
    if (!ids.success) return;
    for (const id of ids.data) if (watched.delete(id)) void socket.leave(roomOf(id));
  });
}
