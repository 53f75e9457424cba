import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { firstScreen } from './first-screen.ts';

let isOpened = false;

/**
 * Whether the visitor opened the site with this page, whose HTML then contains a first screen. On a later visit, the
 * page renders completely, so that it is long enough for the old scroll position.
 */
export function useInPieces(): boolean {
  const [inPieces] = useState(() => !isOpened && firstScreen() !== null);
  useEffect(() => {
    isOpened = true;
  }, []);
  return inPieces;
}

/**
 * Renders after the content around it is on screen, because rendering everything together would block input on a slow
 * phone. One `Later` inside another renders after it.
 */
export function Later({ inPieces, children }: { inPieces: boolean; children: ReactNode }) {
  const isHere = useDeferredValue(true, !inPieces);
  // A placeholder keeps the content below out of sight until then.
  return isHere ? children : <div aria-hidden className="min-h-dvh" />;
}
