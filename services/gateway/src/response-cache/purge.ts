import { z } from 'zod';

/** What a message on the bus makes out of date. */
export interface Purge {
  tags: string[];
  /** What was said before is not only incomplete but wrong: it is not shown while the service is down, either. */
  isUntrue: boolean;
}

const AboutEvent = z.object({ type: z.string(), data: z.object({ eventId: z.int() }) });

const isUntrue = new Map(
  Object.entries({
    'catalog.event-published': false,
    'catalog.event-updated': true,
    'catalog.event-cancelled': true,
    'catalog.promotion-started': true,
    'catalog.promotion-ended': true,
    // Lists and pages of events show how many are left. That number is never a promise, so an old one may stand in.
    'ticketing.stock-changed': false,
  }),
);

/** Topics with messages that say so. */
export const PURGING_TOPICS = ['catalog.events', 'ticketing.events'];

/** Undefined: it changes nothing that is kept. */
export function purgeOf(message: unknown): Purge | undefined {
  const { success, data } = AboutEvent.safeParse(message);
  const untrue = success ? isUntrue.get(data.type) : undefined;
  if (!success || untrue === undefined) return undefined;
  const tags = ['events', `event-${data.data.eventId}`];
  return { tags: data.type === 'ticketing.stock-changed' ? [...tags, 'sales'] : tags, isUntrue: untrue };
}
