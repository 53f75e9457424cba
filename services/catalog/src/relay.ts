import { relay, type Store } from '@beltway/event-store';
import type { Bus } from '@beltway/kit/bus';
import { publishListings } from './event/publish.ts';

export const TOPIC = 'catalog.events';

/** Tells the world, through the log, what happened here. */
export const startRelay = (store: Store, bus: Bus) =>
  relay(store, { topic: TOPIC, publish: publishListings, send: (messages) => bus.publish(TOPIC, messages) });
