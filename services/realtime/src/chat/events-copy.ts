import type { Pool } from 'pg';
import { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { onRepeatable, type Handler } from '@beltway/kit/bus/consume';
import { excluded } from '@beltway/kit/kysely';
import { kysely } from '../db.ts';
import type { EventStatus } from './events.ts';
import type { Chat } from './chat.ts';

interface Heard {
  eventId: number;
  ownerId: number;
  /** Not told with a cancellation. */
  title?: string;
  status: EventStatus;
  version: number;
}

/**
 * Keeps a copy of events, whose rooms these are, and lets a room say that its event was canceled, or postponed, or has a date again. The room comes
 * first, by the message's id: after a crash in between both are done again, and have their effect once.
 */
export function eventHandlers(pool: Pool, chat: Pick<Chat, 'handle'>): Record<string, Handler> {
  async function hear(messageId: string, heard: Heard, occurredAt: string): Promise<void> {
    const known = await kysely(pool)
      .selectFrom('chatEvents')
      .select(['status', 'title', 'version'])
      .where('eventId', '=', heard.eventId)
      .executeTakeFirst();
    if (known && Number(known.version) >= heard.version) return;
    // Without a message of its own nobody would know why: rooms of events that were never other than published have no stream.
    if (heard.status !== (known?.status ?? 'published'))
      await chat.handle(
        String(heard.eventId),
        { type: 'HearEventStatus', status: heard.status, now: occurredAt },
        { commandId: `event status ${messageId}`, causationId: messageId },
      );
    await kysely(pool)
      .insertInto('chatEvents')
      .values({ ...heard, title: heard.title ?? known?.title ?? 'Event' })
      .onConflict((conflict) =>
        conflict
          .column('eventId')
          .doUpdateSet((eb) => excluded(eb, ['ownerId', 'title', 'status', 'version']))
          .whereRef('chatEvents.version', '<', 'excluded.version'),
      )
      .execute();
  }

  type Told = { id: string; occurredAt: string; data: EventPublishedV1['data'] };
  const whole = ({ id, occurredAt, data }: Told) =>
    hear(
      id,
      {
        eventId: data.eventId,
        ownerId: data.ownerId,
        title: data.title,
        status: data.isPostponed ? 'postponed' : 'published',
        version: data.version,
      },
      occurredAt,
    );
  return {
    'catalog.event-published': onRepeatable(EventPublishedV1, whole),
    'catalog.event-updated': onRepeatable(EventUpdatedV1, whole),
    'catalog.event-canceled': onRepeatable(EventCanceledV1, ({ id, occurredAt, data }) =>
      hear(
        id,
        {
          eventId: data.eventId,
          ownerId: data.ownerId,
          status: 'canceled',
          version: data.version,
        },
        occurredAt,
      ),
    ),
  };
}
