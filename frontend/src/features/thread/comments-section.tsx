import type { Event } from '@beltway/contracts/catalog/events';
import { Suspense, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useHashSection } from '../../lib/navigation/hash-section.ts';
import { useNear } from '../../lib/browser/use-near.ts';
import { texts } from './section.texts.en.ts';

const Comments = lazily(async () => (await import('./comments.tsx')).Comments);

/** Pixels below the viewport at which the comments begin to load. */
const AHEAD = 600;

/** The comments of an event. They load when they come near the viewport, and `#comments` in the URL scrolls to them. */
export function CommentsSection({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { isWanted, place, heading } = useHashSection('comments');
  const isNear = useNear(place, AHEAD, isWanted);
  const [total, setTotal] = useState(event.counts?.comments);

  return (
    <section ref={place} id="comments" aria-labelledby="comments-heading" className="grid min-w-0">
      <h2 ref={heading} id="comments-heading" tabIndex={-1} className="sr-only">
        {t.rich('comments', {
          total: () => (total ? <span>{formatCount(total)}</span> : null),
        })}
      </h2>
      <Suspense>{isNear && <Comments event={event} heading={heading} onTotal={setTotal} />}</Suspense>
    </section>
  );
}
