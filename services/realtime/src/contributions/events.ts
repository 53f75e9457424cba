import type { Pool } from 'pg';
import { arrivals } from '@beltway/kit/arrivals';
import { arriving } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import { notedEvent, type NotedEvent } from '../notifications/noted.ts';

/** Events as the catalog described them. */
export interface Events {
  /** Undefined if the event does not exist. Throws 503 while the message about the event may still arrive. */
  of: (eventId: number) => Promise<NotedEvent | undefined>;
  /** Whether the message about an unknown event may still arrive. */
  isArriving: (eventId: number) => Promise<boolean>;
}

export function openEvents(pool: Pool, clock: () => Date): Events {
  const newest = async () => {
    const events = kysely(pool).selectFrom('notedEvents');
    const { id } = await events.select(({ fn }) => fn.max('eventId').as('id')).executeTakeFirstOrThrow();
    return id ?? 0;
  };
  const isArriving = arrivals({ newest, clock });
  return {
    async of(eventId) {
      const event = await notedEvent(pool, eventId);
      if (!event && (await isArriving(eventId))) throw arriving('event-new');
      return event;
    },
    isArriving,
  };
}
