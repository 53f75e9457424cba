import type { ToMessages } from '@beltway/event-store';

/** Realtime publishes nothing on the bus. */
export const toMessages: ToMessages = () => [];
