import type { Photo } from '@beltway/contracts/gallery';
import { BadgeCheck, Clock } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';

/** What a photo is: verified for everybody; one's own may wait for a look, or not have passed it. */
export function PhotoBadge({ photo: { status } }: { photo: Photo }) {
  if (status === 'verified')
    return (
      <Badge tone="success">
        <BadgeCheck aria-hidden />
        Verified
      </Badge>
    );
  if (status === 'pending')
    return (
      <Badge tone="warning">
        <Clock aria-hidden />
        Pending verification
      </Badge>
    );
  return <Badge tone="danger">Not accepted</Badge>;
}
