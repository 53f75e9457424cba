import type { Upcasts } from '@beltway/event-store';

/** By category, how events stored in an old shape are read as today's. No event here has changed its shape yet. */
export const upcasts: Upcasts = {};
