import { EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Pool } from 'pg';
import { rememberEvent } from './poster/remember.ts';

/** When we hear X, we do Y. */
export const startConsumers = (deps: { bus: Bus; pool: Pool; log: Logger }): Promise<Subscription> =>
  consume({
    ...deps,
    group: 'media.posters',
    topics: ['catalog.events'],
    handlers: {
      'catalog.event-published': on(EventPublishedV1, rememberEvent),
      'catalog.event-updated': on(EventUpdatedV1, rememberEvent),
    },
  });
