import type { EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { posterVersion } from '@beltway/contracts/media/images';
import { fieldsOf } from '@beltway/kit/columns';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/** Keeps what the event's poster is drawn from. A message that comes late (from the dead letters) never undoes a newer one. */
export async function rememberEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const { eventId, title, location, eventDate, eventStartTime, tags, version: catalogVersion } = data;
  const look = { title, location, eventDate, eventStartTime, tags, version: posterVersion(data), catalogVersion };
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
