import type { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/media/broadcast';
import { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import { uuidFrom } from '@beltway/event-store';
import type { Bus } from '@beltway/kit/bus';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { ListingRow } from '../event/queries.ts';
import { listed } from '../event/queries.ts';
import { TOPIC } from '../publish.ts';

/**
 * Stores whether a live stream has a signal. Then publishes the stream's whole current configuration, because open
 * pages must show the change. As each message contains the whole configuration, a repeated or late message changes
 * nothing.
 */
export async function keepBroadcast(
  { pool, bus }: { pool: Queryable; bus: Pick<Bus, 'publish'> },
  message: BroadcastStartedV1 | BroadcastEndedV1,
): Promise<void> {
  const { eventId, version } = message.data;
  const isLive = message.type === 'media.broadcast-started';
  const isClip = message.type === 'media.broadcast-started' && message.data.source === 'clip';
  const { numInsertedOrUpdatedRows: written } = await kysely(pool)
    .insertInto('broadcasts')
    .values({ eventId, isLive, isClip, version })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => excluded(eb, ['isLive', 'isClip', 'version']))
        .whereRef('broadcasts.version', '<=', 'excluded.version'),
    )
    .executeTakeFirstOrThrow();
  if (written === 0n) return;
  const row = await listed(pool).where('l.eventId', '=', eventId).where('l.isLivestream', '=', true).executeTakeFirst();
  const changed = row && changedOf(row, message);
  if (changed) await bus.publish(TOPIC, [changed]);
}

function changedOf(row: ListingRow, { id, correlationId, occurredAt }: BroadcastStartedV1 | BroadcastEndedV1) {
  const { eventId, livestreamStartTime: start, livestreamEndTime: end, version } = row;
  const told = LivestreamChangedV1.safeParse({
    id: uuidFrom(`livestream-changed ${id}`),
    ...{ type: 'catalog.livestream-changed', version: 1, key: `event-${eventId}`, occurredAt },
    ...{ correlationId, causationId: id },
    data: {
      ...{
        eventId,
        version,
        status: row.livestreamStatus,
        startTime: start?.toISOString(),
        endTime: end?.toISOString(),
      },
      ...{ maxViewers: row.livestreamMaxViewers, chatEnabled: row.livestreamChatEnabled },
      recordingEnabled: row.livestreamRecordingEnabled,
    },
  });
  // undefined for a canceled event: another message reports that its stream was canceled.
  return told.success ? told.data : undefined;
}
