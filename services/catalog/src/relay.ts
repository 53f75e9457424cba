import type { Logged, Outgoing, Store } from '@beltway/event-store';
import type { Bus } from '@beltway/kit/bus';
import type { Logger } from '@beltway/kit/logger';
import { startRelay as start } from '@beltway/kit/bus/relay';
import type { Pool } from 'pg';
import type { AdEvent } from './ads/events.ts';
import { publishAd } from './ads/publish.ts';
import { publishListings } from './event/publish.ts';

export const TOPIC = 'catalog.events';

/** By the stream's category, in the order of the log. */
const publish = (events: Logged[]): Outgoing[] =>
  events.flatMap((event) =>
    event.stream.startsWith('ad-') ? publishAd(event as AdEvent & Logged) : publishListings([event]),
  );

/** Tells the world, through the log, what happened here. */
export const startRelay = (deps: { store: Store; bus: Bus; pool: Pool; log: Logger }) =>
  start({ ...deps, topic: TOPIC, publish });
