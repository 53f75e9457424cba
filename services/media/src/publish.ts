import type { ToMessages } from '@beltway/event-store';
import { publishBroadcast } from './broadcast/publish.ts';
import { publishPhoto } from './photo/publish.ts';

/** The messages of an event of any stream here. */
export const toMessages: ToMessages = (event) => [...publishPhoto(event), ...publishBroadcast(event)];

/** The topic it says it on. */
export const TOPIC = 'media.events';
