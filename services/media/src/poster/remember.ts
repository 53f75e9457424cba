import type { EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog';
import { posterVersion } from '@beltway/contracts/media';
import type { Queryable } from '@beltway/kit/postgres';

/** Keeps what the event's poster is drawn from. A message that comes late (from the dead letters) never undoes a newer one. */
export async function rememberEvent(
  { data, occurredAt }: EventPublishedV1 | EventUpdatedV1,
  tx: Queryable,
): Promise<void> {
  const { eventId, title, location, eventDate, eventStartTime, tags } = data;
  await tx.query(
    `insert into posters (event_id, title, location, event_date, event_start_time, tags, version, told_at, catalog_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (event_id) do update set title = excluded.title, location = excluded.location, event_date = excluded.event_date,
       event_start_time = excluded.event_start_time, tags = excluded.tags, version = excluded.version, told_at = excluded.told_at,
       catalog_version = excluded.catalog_version
     where (posters.catalog_version, posters.told_at) <= (excluded.catalog_version, excluded.told_at)`,
    [eventId, title, location, eventDate, eventStartTime, tags, posterVersion(data), occurredAt, data.version ?? 0],
  );
}
