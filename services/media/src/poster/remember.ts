import type { EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { posterVersion } from '@beltway/contracts/media/images';
import { fieldsOf } from '@beltway/kit/columns';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/**
 * Stores the facts that the event's poster shows. A late message (from the dead letters) never overwrites newer facts.
 */
export async function rememberEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const { eventId, title, location, eventDate, eventLastDate = null, eventStartTime, tags } = data;
  const dates = { eventDate, eventLastDate, eventStartTime };
  const look = { title, location, ...dates, tags, version: posterVersion(data), catalogVersion: data.version };
  await kysely(tx)
    .insertInto('posters')
    .values({ eventId, ...look })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => excluded(eb, fieldsOf(look)))
        .whereRef('posters.catalogVersion', '<=', 'excluded.catalogVersion'),
    )
    .execute();
}
