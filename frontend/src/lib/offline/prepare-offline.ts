import { refreshKeptTickets } from './kept-tickets.ts';
import { registerServiceWorker } from './service-worker.ts';
import { sessionStore } from '../storage/session-store.ts';

/**
 * Makes ready for a time without network: the service worker keeps the page, and local storage the tickets of who is
 * signed in. Browsers offer service workers to pages served securely (https or localhost) alone.
 */
export function prepareOffline(): void {
  // A browser that refuses (private mode, a full disk) shows the page as ever, with the network alone.
  if ('serviceWorker' in navigator) registerServiceWorker().catch(() => undefined);
  void refreshKeptTickets();
  sessionStore.subscribe(() => void refreshKeptTickets());
}
