import type { PromotedPlace } from '@beltway/contracts/catalog/promoted-places';
import { useEffect, useRef, type RefObject } from 'react';

/** Impressions within this many milliseconds are sent in one request. */
const SEND_AFTER_MS = 2_000;
/** An impression counts if half of the ad is visible for a second, as defined by the Media Rating Council. */
const SHARE = 0.5;
const LONG_ENOUGH_MS = 1_000;

const PATH = '/api/ads/impressions';

/** Reports the impressions of one page view: each ad once, and each promoted event once for each place. */
export interface Impressions {
  seen(kind: 'ads', id: string): void;
  seen(kind: PromotedPlace, eventId: number): void;
  /** Sends pending impressions when the page is left. */
  send(): void;
}

/**
 * The impressions of one page view. Lost requests are not retried; they only mean that an ad is shown slightly more
 * often.
 */
export function openImpressions(view: string = crypto.randomUUID()): Impressions {
  const told = new Set<string>();
  let waiting: Partial<Record<string, Array<string | number>>> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (Object.keys(waiting).length === 0) return;
    const body = JSON.stringify({ view, ...waiting });
    waiting = {};
    const isSent = (navigator as Partial<Navigator>).sendBeacon?.call(
      navigator,
      PATH,
      new Blob([body], { type: 'application/json' }),
    );
    if (isSent) return;
    const headers = { 'content-type': 'application/json' };
    void fetch(PATH, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
  }
  return {
    seen(kind: string, id: string | number) {
      const what = `${kind} ${id}`;
      if (told.has(what)) return;
      told.add(what);
      (waiting[kind] ??= []).push(id);
      timer ??= setTimeout(send, SEND_AFTER_MS);
    },
    send,
  };
}

/** The impressions of the page that is on screen; sent when the page is left or hidden. */
export function useImpressions(): Impressions {
  const impressions = useRef<Impressions>(null);
  impressions.current ??= openImpressions();
  useEffect(() => {
    const { current } = impressions;
    const send = () => document.visibilityState === 'hidden' && current?.send();
    document.addEventListener('visibilitychange', send);
    return () => {
      document.removeEventListener('visibilitychange', send);
      current?.send();
    };
  }, []);
  return impressions.current;
}

/** Calls `onSeen` once half of the element has been on a visible screen for a second, without a break. */
export function useSeen(element: RefObject<HTMLElement | null>, onSeen: () => void): void {
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === 'undefined') return;
    let isInSight = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const judge = () => {
      const isVisible = isInSight && document.visibilityState === 'visible';
      if (isVisible) timer ??= setTimeout(() => (stop(), latest.current()), LONG_ENOUGH_MS);
      else {
        clearTimeout(timer);
        timer = undefined;
      }
    };
    const observer = new IntersectionObserver(
      (changes) => {
        isInSight = (changes.at(-1)?.intersectionRatio ?? 0) >= SHARE;
        judge();
      },
      { threshold: [0, SHARE] },
    );
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', judge);
    };
    observer.observe(element.current);
    document.addEventListener('visibilitychange', judge);
    return stop;
  }, [element]);
}
