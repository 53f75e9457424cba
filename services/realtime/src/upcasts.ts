import type { Upcasts } from '@beltway/event-store';

/** By category, how events stored in an old shape are read as today's. None has changed yet. */
export const upcasts: Upcasts = {};
