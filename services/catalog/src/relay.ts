import type { Store } from '@beltway/event-store';
import type { Bus } from '@beltway/kit/bus';
import type { Logger } from '@beltway/kit/logger';
import { startRelay as start } from '@beltway/kit/bus/relay';
import type { Pool } from 'pg';
import { publishListings } from './event/publish.ts';

export const TOPIC = 'catalog.events';

/** Tells the world, through the log, what happened here. */
export const startRelay = (deps: { store: Store; bus: Bus; pool: Pool; log: Logger }) =>
  start({ ...deps, topic: TOPIC, publish: publishListings });
