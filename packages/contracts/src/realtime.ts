import type { StockChangedV1 } from './ticketing.ts';

/** socket.io, browser to server: which events' stock this page shows. Answered with the number of events watched. */
export interface ClientMessages {
  'watch-stock': (eventIds: number[], answer?: (watched: number) => void) => void;
  'unwatch-stock': (eventIds: number[]) => void;
}

/** socket.io, server to browser. A message tells the page to ask again; it is no second copy of the truth. */
export interface ServerMessages {
  'ticketing.stock-changed': (data: StockChangedV1['data']) => void;
}
