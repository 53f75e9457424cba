import { PhotoVerifiedV1 } from '@beltway/contracts/gallery';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { PhotoEvent } from './events.ts';

const { type, version } = PhotoVerifiedV1.shape;

/** What the world hears of photos: that one is verified. One that was rejected meanwhile is told of again. */
export const publishPhotos = (events: Logged[]): Outgoing[] =>
  events.flatMap((of) => {
    const { type: happened, data } = { type: of.type, data: of.data } as PhotoEvent;
    return happened === 'PhotoVerified' ? [{ of, type: type.value, version: version.value, data }] : [];
  });
