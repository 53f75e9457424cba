import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

const positions = new Map<string, number>();

/** A new page starts at its top; Back restores the position. Changed filters (same path) do not scroll. */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  useLayoutEffect(() => {
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
  useLayoutEffect(() => {
    if (!isBack) {
      // Newer browsers return a promise, which must not become the effect's cleanup.
      void window.scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    const top = positions.get(key);
    if (!top) return;
    // Repeated until the page has loaded enough content to be scrolled that far.
    const giveUp = performance.now() + 1500;
    let frame = requestAnimationFrame(function restore() {
      window.scrollTo({ top, behavior: 'instant' });
      if (Math.abs(window.scrollY - top) > 2 && performance.now() < giveUp) frame = requestAnimationFrame(restore);
    });
    return () => cancelAnimationFrame(frame);
    // Depends on the path only, because a filter in the URL is still the same page.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [pathname]);
}
