import type { ToMessages } from '@beltway/event-store';
import { publishBroadcast } from './broadcast/publish.ts';
import { publishItem } from './item/publish.ts';

/** The messages that a log event of any stream of this service causes. */
export const toMessages: ToMessages = (event) => [...publishItem(event), ...publishBroadcast(event)];

/** The topic of this service. */
export const TOPIC = 'media.events';
