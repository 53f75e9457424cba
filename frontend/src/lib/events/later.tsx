import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { firstScreen } from './first-screen.ts';

let isOpened = false;

/**
 * True on the first page that renders in pieces, if the HTML contained a first screen. Pages opened after it render
 * completely, so that they are long enough for an old scroll position.
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
  // `useDeferredValue` would render nested pieces together: React defers only once.
  const [isHere, setHere] = useState(!inPieces);
  useEffect(() => {
    if (inPieces) startTransition(() => setHere(true));
  }, [inPieces]);
  // A placeholder keeps the content below out of sight until then.
  return isHere ? children : <div aria-hidden className="min-h-dvh" />;
}
