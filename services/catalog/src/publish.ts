import type { Logged, Outgoing } from '@beltway/event-store';
import type { AdEvent } from './ads/events.ts';
import { publishAd } from './ads/publish.ts';
import { publishListing } from './event/publish.ts';

/** The topic of all that catalog publishes. */
export const TOPIC = 'catalog.events';

/** The messages of an event, by the category of its stream. */
export const toMessages = (event: Logged): Outgoing[] =>
  event.stream.startsWith('ad-') ? publishAd(event as AdEvent & Logged) : publishListing(event);
