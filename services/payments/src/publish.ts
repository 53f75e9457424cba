import type { Logged, Outgoing, Queries, ToMessages } from '@beltway/event-store';
import { publishAds } from './ads/publish.ts';
import { publishPayment } from './payment/publish.ts';

/** The messages that follow from the event alone. */
export const toMessages: ToMessages = publishPayment;

/** All messages of payments; those of paid ads need their rows. */
export const publish = async (events: Logged[], db: Queries): Promise<Outgoing[]> => [
  ...events.flatMap(toMessages),
  ...(await publishAds(events, db)),
];
