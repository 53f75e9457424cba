import type { TopPick } from '@beltway/contracts/top-picks';
import { Badge } from '../../ui/badge.tsx';
import { CATEGORIES } from './words.ts';

/** What a video is: paid for, chosen, rejected, and its category. */
export const VideoBadges = ({ video: { promotedEvent, featured, approved, category } }: { video: TopPick }) => (
  <span className="flex flex-wrap gap-2">
    {promotedEvent && <Badge tone="accent">Promoted</Badge>}
    {featured && <Badge tone="success">Featured</Badge>}
    {!approved && <Badge tone="danger">Not shown</Badge>}
    <Badge>{CATEGORIES[category]}</Badge>
  </span>
);
