import type { Event } from '@beltway/contracts/catalog/events';
import type { PromotedPlace } from '@beltway/contracts/catalog/promoted-places';
import { useRef, type ReactNode } from 'react';
import { useSeen, type Impressions } from '../../lib/ads/impressions.ts';

interface PromotedItemProps {
  event: Event;
  place: PromotedPlace;
  impressions: Impressions;
  className?: string;
  children: ReactNode;
}

/** An event in a paid slot; impressions are counted, as with an ad. */
export function PromotedItem({ event, place, impressions, className, children }: PromotedItemProps) {
  const item = useRef<HTMLLIElement>(null);
  useSeen(item, () => impressions.seen(place, event.id));
  return (
    <li ref={item} className={className}>
      {children}
    </li>
  );
}
