import { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { ItemEvent } from './events.ts';

/** Publishes when a photo is shown, when a photo is no longer shown, and when a hidden photo is rejected. */
export function publishItem(of: Logged): Outgoing[] {
  if (!of.stream.startsWith('photo-')) return [];
  const { type, data } = { type: of.type, data: of.data } as ItemEvent;
  const photoId = Number(of.id);
  switch (type) {
    case 'ItemShown':
      return [outgoing(of, PhotoVerifiedV1, { photoId, ...data, eventId: data.eventId! })];
    case 'ItemRejected':
    case 'ItemRemoved':
      return [outgoing(of, PhotoHiddenV1, { photoId })];
    default:
      return [];
  }
}
