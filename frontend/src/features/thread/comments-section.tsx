import type { Event } from '@beltway/contracts/catalog/events';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useNear } from '../../lib/browser/use-near.ts';
import { texts } from './section.texts.en.ts';

const Comments = lazily(async () => (await import('./comments.tsx')).Comments);

/** So many pixels below the screen it begins to load. */
const AHEAD = 600;

/** Milliseconds in which what is above may still be loading. */
const SETTLE_MS = 3_000;

/** Scrolls there, and again while the page grows, until its reader does something. Gives what ends it. */
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

/** The comments of an event, loaded when they come near the screen; `#comments` leads to them. */
export function CommentsSection({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { hash, key } = useLocation();
  const navigation = useNavigationType();
  const place = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isWanted = hash === '#comments';
  const isNear = useNear(place, AHEAD, isWanted);
  const [total, setTotal] = useState(event.counts?.comments);

  // Where the address leads to them; not again when a dialog above them closes, which is going back.
  const isThere = useRef(false);
  useEffect(() => {
    const isBack = isThere.current && navigation === 'POP';
    isThere.current = true;
    if (!isWanted || isBack) return;
    heading.current?.focus({ preventScroll: true });
    return place.current ? keepInSight(place.current) : undefined;
  }, [isWanted, key, navigation]);

  return (
    <section ref={place} id="comments" aria-labelledby="comments-heading" className="grid min-w-0 gap-5">
      <h2 ref={heading} id="comments-heading" tabIndex={-1} className="text-title outline-none">
        {t.rich('comments', {
          total: () =>
            total ? <span className="tabular font-regular text-ink-soft">{formatCount(total)}</span> : null,
        })}
      </h2>
      <Suspense>{isNear && <Comments event={event} heading={heading} onTotal={setTotal} />}</Suspense>
    </section>
  );
}
