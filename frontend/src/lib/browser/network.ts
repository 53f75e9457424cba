import { useSyncExternalStore } from 'react';

/**
 * False when the device reports no network. True does not prove a connection, because the network may have no internet
 * access.
 */
export const useHasNetwork = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine !== false,
  );
