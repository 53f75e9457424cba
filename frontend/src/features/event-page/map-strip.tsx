import type { Event } from '@beltway/contracts/catalog/events';
import { Suspense, useRef } from 'react';
import { useNear } from '../../lib/browser/use-near.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { Skeleton } from '../../ui/states.tsx';

const GettingThere = lazily(async () => (await import('./getting-there.tsx')).GettingThere);

/** Pixels from the viewport at which the places and the map begin to load. */
const AHEAD = 300;

/** How to get there, for an event with a precise position; loaded when it comes near the viewport. */
export function MapStrip({ event }: { event: Event }) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNear(box, AHEAD);
  const { place } = event;
  if (!place || place.isApproximate) return null;
  const waiting = <Skeleton className="h-96 rounded-lg" />;
  return (
    <div ref={box}>
      {isNear ? <Suspense fallback={waiting}>{<GettingThere event={event} place={place} />}</Suspense> : waiting}
    </div>
  );
}
