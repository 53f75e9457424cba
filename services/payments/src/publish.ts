import type { RelayOptions } from '@beltway/event-store';
import { publishAds } from './ads/publish.ts';
import { publishPayments } from './payment/publish.ts';

/** All that payments says on the bus. */
export const publish: RelayOptions['publish'] = async (events, db) => [
  ...publishPayments(events),
  ...(await publishAds(events, db)),
];
