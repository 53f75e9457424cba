import type { LivestreamStatus } from '../catalog/livestream.ts';
import type { NotificationClientMessages, NotificationServerMessages } from './notifications.ts';
import type { StockChangedV1 } from '../ticketing/tickets.ts';

/** socket.io, browser to server. */
export interface ClientMessages extends NotificationClientMessages {
  /** Which events' stock this page shows. Answered with the number of events watched. */
  'watch-stock': (eventIds: number[], answer?: (watched: number) => void) => void;
  'unwatch-stock': (eventIds: number[]) => void;
}

/** socket.io, server to browser. A message tells the page to ask again; it is no second copy of the truth. */
export interface ServerMessages extends NotificationServerMessages {
  'ticketing.stock-changed': (data: StockChangedV1['data']) => void;
  /** To every page: a live stream was scheduled, moved, began or ended. */
  'catalog.livestream-changed': (data: { eventId: number; status: LivestreamStatus }) => void;
}
