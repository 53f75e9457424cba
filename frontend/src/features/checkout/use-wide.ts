import { useSyncExternalStore } from 'react';

/** As Tailwind's `lg`: the summary has a column of its own. */
const wide = window.matchMedia('(min-width: 64rem)');
const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Whether there are two columns. In code and not in CSS, because total and clock must stand, and be read out, once. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
