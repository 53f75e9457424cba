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
  /** Missing if the event is canceled. */
  title?: string;
  status: EventStatus;
  version: number;
}

/**
 * Keeps a copy of events, each of which has a room. Announces in the room that the event was canceled, postponed, or
 * has a date again. The announcement is made before the copy is saved, with a command id derived from the message.
 * After a crash in between, both steps are repeated without a second effect.
 */
export function eventHandlers(pool: Pool, chat: Pick<Chat, 'handle'>): Record<string, Handler> {
  async function hear(messageId: string, heard: Heard, occurredAt: string): Promise<void> {
    const known = await kysely(pool)
      .selectFrom('chatEvents')
      .select(['status', 'title', 'version'])
      .where('eventId', '=', heard.eventId)
      .executeTakeFirst();
    if (known && Number(known.version) >= heard.version) return;
    // Announces only changes, so that an event that was always published has no stream.
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
