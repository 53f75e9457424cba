import type { LivestreamStatus } from '../catalog/livestream.ts';
import type { NotificationClientMessages, NotificationServerMessages } from './notifications.ts';
import type { StockChangedV1 } from '../ticketing/tickets.ts';

/** socket.io, browser to server. */
export interface ClientMessages extends NotificationClientMessages {
  /** Subscribes to the stock of these events. The response is the number of watched events. */
  'watch-stock': (eventIds: number[], answer?: (watched: number) => void) => void;
  'unwatch-stock': (eventIds: number[]) => void;
}

/**
 * socket.io, server to browser. A message only makes the frontend load the data again; it is not a second source.
 */
export interface ServerMessages extends NotificationServerMessages {
  'ticketing.stock-changed': (data: StockChangedV1['data']) => void;
  /** Sent to every open page: a live stream was scheduled, moved, began or ended. */
  'catalog.livestream-changed': (data: { eventId: number; status: LivestreamStatus }) => void;
}
