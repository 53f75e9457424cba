import type { Upcasts } from '@beltway/event-store';
import { upcastListing } from './event/upcast.ts';

/** By category, how events stored in an old shape are read as today's. */
export const upcasts: Upcasts = { event: upcastListing };
