import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onClose` after `isOpen` became false and the page has rendered. */
export function useOnClose(isOpen: boolean, onClose: () => void): void {
  const wasOpen = useRef(isOpen);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (wasOpen.current && !isOpen) close();
    wasOpen.current = isOpen;
  }, [isOpen]);
}
