import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { itemDecider, type ItemState } from './decider.ts';
import type { ItemCommand, ItemEvent } from './events.ts';
import { ITEMS, ITEM_KINDS, type ItemKind } from './kinds.ts';
import { projectItems } from './projection.ts';

export type Items = Record<ItemKind, Streams<ItemState, ItemCommand, ItemEvent>>;

const open = (store: Store, kind: ItemKind): Items[ItemKind] =>
  streams(store, { category: kind, decider: itemDecider(kind, ITEMS[kind]), projections: [projectItems(kind)] });

/** The photos and videos of this service's store. */
export const openItems = (store: Store): Items => ({ photo: open(store, 'photo'), video: open(store, 'video') });

/** What `npm run rebuild` truncates and replays. Both kinds share one table. */
export const itemReadModels: ReadModel[] = ITEM_KINDS.map((kind, index) => ({
  category: kind,
  projections: [projectItems(kind)] as ReadModel['projections'],
  tables: index === 0 ? ['items'] : [],
}));
