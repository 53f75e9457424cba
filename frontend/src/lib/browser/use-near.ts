import { useEffect, useState, type RefObject } from 'react';

/** Whether the element has come within `ahead` pixels of the viewport. Once true it stays true. */
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
