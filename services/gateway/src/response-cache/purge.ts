import { z } from 'zod';

/** What a bus message invalidates. */
export interface Purge {
  tags: string[];
  /**
   * Whether the cached answers are wrong, not only incomplete. Wrong answers are not served even while the service is
   * down.
   */
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
    // Lists and pages of events show how many tickets are left. That number is not binding, so an old number may be
    // served.
    'ticketing.stock-changed': false,
  }),
);

/** Messages that invalidate answers about ads. A rejected ad is not served even while catalog is down. */
const AD_MESSAGES = new Map(
  Object.entries({ 'catalog.ad-approved': false, 'catalog.ad-rejected': true }).map(([type, isUntrue]) => [
    type,
    { tags: ['ads'], isUntrue },
  ]),
);
const Typed = z.object({ type: z.string() });

/** Topics with purging messages. */
export const PURGING_TOPICS = ['catalog.events', 'ticketing.events'];

/** Returns what a bus message invalidates. Undefined: the message invalidates nothing that is cached. */
export function purgeOf(message: unknown): Purge | undefined {
  const ofAd = AD_MESSAGES.get(Typed.safeParse(message).data?.type ?? '');
  if (ofAd) return ofAd;
  const { success, data } = AboutEvent.safeParse(message);
  const untrue = success ? isUntrue.get(data.type) : undefined;
  if (!success || untrue === undefined) return undefined;
  const tags = ['events', `event-${data.data.eventId}`];
  return { tags: data.type === 'ticketing.stock-changed' ? [...tags, 'sales'] : tags, isUntrue: untrue };
}
