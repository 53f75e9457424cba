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
 * Keeps whether pictures of a live stream come, and tells the world that the stream is shown otherwise now: by the configuration that it has, so
 * that a repeat, and whoever hears it late, changes nothing.
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
  // With its event the stream is canceled, which was told by another message.
  return told.success ? told.data : undefined;
}
