import type { Logged, Outgoing, Queries, ToMessages } from '@beltway/event-store';
import { publishAds } from './ads/publish.ts';
import { publishPayment } from './payment/publish.ts';

/** The messages that follow from the event alone. */
export const toMessages: ToMessages = publishPayment;

/** All messages of payments; messages about paid ads also need the ads' rows. */
export const publish = async (events: Logged[], db: Queries): Promise<Outgoing[]> => [
  ...events.flatMap(toMessages),
  ...(await publishAds(events, db)),
];
