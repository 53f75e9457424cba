import { useSyncExternalStore } from 'react';

/** Tailwind's `lg` breakpoint, the width from which the summary has its own column. */
const wide = window.matchMedia('(min-width: 64rem)');
const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/**
 * Whether there are two columns. Decided in code rather than in CSS, because total and clock must be rendered only
 * once: screen readers would announce a second copy.
 */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
