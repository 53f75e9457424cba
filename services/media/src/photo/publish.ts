import type { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/gallery';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { PhotoEvent } from './events.ts';

type Said = Pick<PhotoVerifiedV1 | PhotoHiddenV1, 'type' | 'version' | 'data'>;

function tell({ type, data }: PhotoEvent): Said | null {
  switch (type) {
    case 'PhotoVerified':
      return { type: 'media.photo-verified', version: 1, data };
    case 'PhotoRejected':
    case 'PhotoRemoved':
      return { type: 'media.photo-hidden', version: 1, data: { photoId: data.photoId } };
    default:
      return null;
  }
}

/** What the world hears of photos: that one is shown, and that it is not any more. One that was rejected meanwhile is told of again. */
export const publishPhotos = (events: Logged[]): Outgoing[] =>
  events.flatMap((of) => {
    const said = tell({ type: of.type, data: of.data } as PhotoEvent);
    return said ? [{ of, ...said }] : [];
  });
