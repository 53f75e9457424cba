import type { ToMessages } from '@beltway/event-store';

/** Chat rooms publish nothing on the bus. The numbers of comments are published by a job. */
export const toMessages: ToMessages = () => [];

export const TOPIC = 'realtime.events';
