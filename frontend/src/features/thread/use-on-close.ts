import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onClose` once what was open is closed, and what takes its place is shown. */
export function useOnClose(isOpen: boolean, onClose: () => void): void {
  const wasOpen = useRef(isOpen);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (wasOpen.current && !isOpen) close();
    wasOpen.current = isOpen;
  }, [isOpen]);
}
