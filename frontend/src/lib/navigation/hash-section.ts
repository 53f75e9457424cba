import { useEffect, useRef, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** Milliseconds during which content above may still load. */
const SETTLE_MS = 3_000;

/**
 * Scrolls to the element, and again whenever the page grows, until the visitor interacts. Returns a function that stops
 * this.
 */
function keepInSight(place: HTMLElement): () => void {
  const done = new AbortController();
  const show = () => place.scrollIntoView({ block: 'start' });
  show();
  const observer = new ResizeObserver(show);
  observer.observe(document.body);
  done.signal.addEventListener('abort', () => observer.disconnect());
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(act, () => done.abort(), { passive: true, signal: done.signal });
  setTimeout(() => done.abort(), SETTLE_MS);
  return () => done.abort();
}

interface HashSection {
  /** Whether the URL has the section's hash. */
  isWanted: boolean;
  place: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
}

/**
 * Scrolls to a section if the URL has `#name`, and moves the focus to its heading. Going back in history, which closing
 * a dialog does, does not scroll.
 */
export function useHashSection(name: string): HashSection {
  const { hash, key } = useLocation();
  const navigation = useNavigationType();
  const place = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isWanted = hash === `#${name}`;
  const isThere = useRef(false);
  useEffect(() => {
    const isBack = isThere.current && navigation === 'POP';
    isThere.current = true;
    if (!isWanted || isBack) return;
    heading.current?.focus({ preventScroll: true });
    return place.current ? keepInSight(place.current) : undefined;
  }, [isWanted, key, navigation]);
  return { isWanted, place, heading };
}
