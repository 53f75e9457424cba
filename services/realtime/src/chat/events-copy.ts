import type { Pool } from 'pg';
import { EventCancelledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { onRepeatable, type Handler } from '@beltway/kit/bus/consume';
import { chatEvents } from './columns.ts';
import type { EventStatus } from './events.ts';
import type { Chat } from './chat.ts';

const KEEP = chatEvents.insert(
  ['eventId', 'ownerId', 'title', 'status', 'version'],
  `${chatEvents.onConflict(['eventId'], ['ownerId', 'title', 'status', 'version'])} where chat_events.version < excluded.version`,
);
const KNOWN = `select status, title, version from chat_events where event_id = $1`;

interface Heard {
  eventId: number;
  ownerId: number;
  /** Not told with a cancellation. */
  title?: string;
  status: EventStatus;
  version: number;
}

/**
 * Keeps a copy of events, whose rooms these are, and lets a room say that its event was cancelled, or postponed, or has a date again. The room comes
 * first, by the message's id: after a crash in between both are done again, and have their effect once.
 */
export function eventHandlers(pool: Pool, chat: Pick<Chat, 'handle'>): Record<string, Handler> {
  async function hear(messageId: string, heard: Heard, occurredAt: string): Promise<void> {
    const { rows } = await pool.query<{ status: EventStatus; title: string; version: string }>(KNOWN, [heard.eventId]);
    const known = rows[0];
    if (known && Number(known.version) >= heard.version) return;
    // Without a message of its own nobody would know why: rooms of events that were never other than published have no stream.
    if (heard.status !== (known?.status ?? 'published'))
      await chat.handle(
        String(heard.eventId),
        { type: 'HearEventStatus', status: heard.status, now: occurredAt },
        { commandId: `event status ${messageId}`, causationId: messageId },
      );
    const { title = known?.title ?? 'Event', ...row } = heard;
    await pool.query({ name: 'chat-event', text: KEEP.text, values: KEEP.values({ ...row, title }) });
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
    'catalog.event-cancelled': onRepeatable(EventCancelledV1, ({ id, occurredAt, data }) =>
      hear(
        id,
        {
          eventId: data.eventId,
          ownerId: data.ownerId,
          status: 'cancelled',
          version: data.version,
        },
        occurredAt,
      ),
    ),
  };
}
