import type { ToMessages } from '@beltway/event-store';
import { publishBroadcast } from './broadcast/publish.ts';
import { publishItem } from './item/publish.ts';

/** The messages of an event of any stream here. */
export const toMessages: ToMessages = (event) => [...publishItem(event), ...publishBroadcast(event)];

/** The topic it says it on. */
export const TOPIC = 'media.events';
