import { useEffect, useState, type RefObject } from 'react';

/** Whether this place has come near the screen: `ahead` (pixels) below or above it. Once true it stays so. */
export function useNear(place: RefObject<HTMLElement | null>, ahead: number, initially = false): boolean {
  const [isNear, setNear] = useState(initially || typeof IntersectionObserver === 'undefined');
  if (initially && !isNear) setNear(true);
  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: `${ahead}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear, place, ahead]);
  return isNear;
}
