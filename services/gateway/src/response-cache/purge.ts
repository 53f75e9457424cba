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
    'catalog.event-canceled': true,
    'catalog.promotion-started': true,
    'catalog.promotion-ended': true,
    'catalog.livestream-changed': true,
    // Lists and pages of events show how many are left. That number is never a promise, so an old one may stand in.
    'ticketing.stock-changed': false,
  }),
);

/** What is served of ads: one that was taken off the pages is not shown while catalog is down, either. */
const AD_MESSAGES = new Map(
  Object.entries({ 'catalog.ad-approved': false, 'catalog.ad-rejected': true }).map(([type, isUntrue]) => [
    type,
    { tags: ['ads'], isUntrue },
  ]),
);
const Typed = z.object({ type: z.string() });

/** Topics with messages that say so. */
export const PURGING_TOPICS = ['catalog.events', 'ticketing.events'];

/** Undefined: it changes nothing that is kept. */
export function purgeOf(message: unknown): Purge | undefined {
  const ofAd = AD_MESSAGES.get(Typed.safeParse(message).data?.type ?? '');
  if (ofAd) return ofAd;
  const { success, data } = AboutEvent.safeParse(message);
  const untrue = success ? isUntrue.get(data.type) : undefined;
  if (!success || untrue === undefined) return undefined;
  const tags = ['events', `event-${data.data.eventId}`];
  return { tags: data.type === 'ticketing.stock-changed' ? [...tags, 'sales'] : tags, isUntrue: untrue };
}
