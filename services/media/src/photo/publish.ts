import { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { PhotoEvent } from './events.ts';

/** A message when a photo is shown and when it is no longer shown; also when a hidden one is rejected. */
export function publishPhoto(of: Logged): Outgoing[] {
  const { type, data } = { type: of.type, data: of.data } as PhotoEvent;
  switch (type) {
    case 'PhotoVerified':
      return [outgoing(of, PhotoVerifiedV1, data)];
    case 'PhotoRejected':
    case 'PhotoRemoved':
      return [outgoing(of, PhotoHiddenV1, { photoId: data.photoId })];
    default:
      return [];
  }
}
