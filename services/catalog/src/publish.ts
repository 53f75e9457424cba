import type { Logged, Outgoing } from '@beltway/event-store';
import type { AdEvent } from './ads/events.ts';
import { publishAd } from './ads/publish.ts';
import { publishListing } from './event/publish.ts';

/** The topic of all catalog messages. */
export const TOPIC = 'catalog.events';

/** The messages about a log event. The category of the stream selects the function that makes them. */
export const toMessages = (event: Logged): Outgoing[] =>
  event.stream.startsWith('ad-') ? publishAd(event as AdEvent & Logged) : publishListing(event);
