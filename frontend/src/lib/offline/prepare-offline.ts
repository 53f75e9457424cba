import { refreshKeptTickets } from './kept-tickets.ts';
import { registerServiceWorker } from './service-worker.ts';
import { sessionStore } from '../storage/session-store.ts';

/**
 * Prepares for offline use: the service worker caches the page, and local storage keeps the signed-in account's
 * tickets. Browsers allow service workers only on secure origins (https or localhost).
 */
export function prepareOffline(): void {
  // If the browser refuses (private mode, a full disk), the page works as usual, but only with a network.
  if ('serviceWorker' in navigator) registerServiceWorker().catch(() => undefined);
  void refreshKeptTickets();
  sessionStore.subscribe(() => void refreshKeptTickets());
}
