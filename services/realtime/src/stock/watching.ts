import { z } from 'zod';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import type { RealtimeServer, RealtimeSocket } from '../sockets.ts';

/** Events that one socket may watch. A page lists at most 200 events, and watches the events it shows. */
export const MAX_WATCHED = 250;

/** Untrusted input: a browser may send anything. */
const EventIds = z.array(z.int().positive().max(2_147_483_647)).max(1_000);

const roomOf = (eventId: number) => `stock ${eventId}`;

/** Sends to the sockets of this instance only, because each instance consumes the stock messages itself. */
export const tellWatchers = (io: RealtimeServer, stock: Availability) =>
  void io.local.to(roomOf(stock.eventId)).emit('ticketing.stock-changed', stock);

/**
 * Lets a socket subscribe to the stock of the events that its page shows. Malformed messages and events above the limit
 * are ignored. The response is the number of watched events. Recent changes are sent immediately.
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
