import type { RelayOptions } from '@beltway/event-store';
import { publishBroadcasts } from './broadcast/publish.ts';
import { publishPhotos } from './photo/publish.ts';

/** All that media says on the bus. */
export const publish: RelayOptions['publish'] = (events) => [...publishPhotos(events), ...publishBroadcasts(events)];

/** The topic it says it on. */
export const TOPIC = 'media.events';
