import { useSyncExternalStore } from 'react';

/** Tailwind's `lg`, from which on the summary has a column of its own. */
const wide = window.matchMedia('(min-width: 64rem)');
const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Whether there are two columns. In code and not in CSS, because total and clock must be rendered, and announced, once. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
