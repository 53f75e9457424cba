import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { ItemCommand, ItemEvent } from './events.ts';
import type { ItemKind } from './kinds.ts';

export interface ItemState {
  eventId: number | null;
  uploaderId: number;
  status: 'none' | 'pending' | 'shown' | 'rejected' | 'removed';
  isFeatured: boolean;
}

const initial = (): ItemState => ({ eventId: null, uploaderId: 0, status: 'none', isFeatured: false });

/**
 * The rules of photos or videos. `needsLook`: an upload is shown only after it was verified, by an admin or because the
 * uploader attended the event.
 */
export function itemDecider(
  kind: ItemKind,
  { needsLook }: { needsLook: boolean },
): Decider<ItemState, ItemCommand, ItemEvent> {
  function decide(command: ItemCommand, { eventId, uploaderId, status, isFeatured }: ItemState): ItemEvent[] {
    if (command.type === 'UploadItem') {
      const { item, verifiedBy } = command;
      if (status !== 'none') throw new Rejected(`${kind}-exists`);
      const uploaded: ItemEvent = { type: 'ItemUploaded', data: item };
      if (!verifiedBy) return [uploaded];
      const of = 'eventId' in item ? item.eventId : null;
      return [uploaded, { type: 'ItemShown', data: { eventId: of, uploaderId: item.uploaderId, how: verifiedBy } }];
    }
    if (command.type === 'RemoveItem' && status !== 'none')
      return status === 'removed' ? [] : [{ type: 'ItemRemoved', data: { by: command.by } }];
    if (status === 'none' || status === 'removed') throw new Rejected(`${kind}-removed`);
    switch (command.type) {
      case 'ShowItem':
        return status === 'shown' ? [] : [{ type: 'ItemShown', data: { eventId, uploaderId, how: 'admin' } }];
      case 'RejectItem':
        return status === 'rejected' ? [] : [{ type: 'ItemRejected', data: {} }];
      case 'FeatureItem':
        if (status !== 'shown') throw new Rejected(`${kind}-rejected`);
        return isFeatured ? [] : [{ type: 'ItemFeatured', data: {} }];
      case 'UnfeatureItem':
        return isFeatured ? [{ type: 'ItemUnfeatured', data: {} }] : [];
      case 'RemoveItem':
        return [];
    }
  }

  // May change the given state: the store owns that state, and drops it if the append fails.
  function evolve(state: ItemState, { type, data }: ItemEvent): ItemState {
    switch (type) {
      case 'ItemUploaded':
        state.eventId = 'eventId' in data ? data.eventId : null;
        state.uploaderId = data.uploaderId;
        state.status = needsLook ? 'pending' : 'shown';
        return state;
      case 'ItemShown':
        state.status = 'shown';
        return state;
      case 'ItemRejected':
        state.status = 'rejected';
        state.isFeatured = false;
        return state;
      case 'ItemFeatured':
        state.isFeatured = true;
        return state;
      case 'ItemUnfeatured':
        state.isFeatured = false;
        return state;
      case 'ItemRemoved':
        state.status = 'removed';
        state.isFeatured = false;
        return state;
    }
  }

  return { initial, decide, evolve };
}
