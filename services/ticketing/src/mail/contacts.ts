import { EventContact } from '@beltway/contracts/catalog/event-bodies';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { remembered } from './remembered.ts';

/**
 * How long a contact email address is cached, in milliseconds. After a change, replies may still be sent to the old
 * email address for this time.
 */
const KEPT_MS = 60_000;

/**
 * The contact email addresses of events. They are requested from catalog, because messages on the bus contain no email
 * addresses.
 */
export interface Contacts {
  /**
   * The email address at which the organizer receives buyers' messages; null if the event has none. Throws while
   * catalog does not respond.
   */
  of(eventId: number): Promise<string | null>;
  /**
   * The email address for the Reply-To of a mail. Mails do not wait for catalog, so the result is null while catalog
   * does not respond.
   */
  forReplies(eventId: number): Promise<string | null>;
}

/** If no catalog is configured, no event has a contact email address. */
export function eventContacts(
  catalog: Pick<InternalClient, 'get'> | null,
  log: Pick<Logger, 'warn'>,
  now = Date.now,
): Contacts {
  const of = async (eventId: number | string) =>
    catalog && EventContact.parse(await catalog.get(`/internal/events/${eventId}/contact`)).email;
  const kept = remembered(of, {
    ...{ keptMs: KEPT_MS, now },
    missed: (eventId, error) =>
      log.warn({ err: error, eventId }, 'a contact address is unavailable; mails go without Reply-To'),
  });
  return { of, forReplies: (eventId) => kept(String(eventId)) };
}
