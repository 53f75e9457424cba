import type { Fact } from '@beltway/event-store';
import { whole } from './details.ts';
import type { Details, ListingEvent } from './events.ts';

/** Every field of the details is there, null where none was given. */
export function upcastListing({ type, data }: Fact): ListingEvent {
  const { details } = data as { details?: Partial<Details> };
  return { type, data: details ? { ...(data as object), details: whole(details) } : data } as ListingEvent;
}
