import { useSyncExternalStore } from 'react';

/** False when the device itself says that it has no network. True says nothing: a network may lead nowhere. */
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
