import type { EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { posterVersion } from '@beltway/contracts/media/images';
import type { Queryable } from '@beltway/kit/postgres';
import { posters } from './columns.ts';

const SAID = ['title', 'location', 'eventDate', 'eventStartTime', 'tags', 'version', 'catalogVersion'] as const;
const REMEMBER = posters.insert(
  ['eventId', ...SAID],
  `${posters.onConflict(['eventId'], SAID)} where posters.catalog_version <= excluded.catalog_version`,
);

/** Keeps what the event's poster is drawn from. A message that comes late (from the dead letters) never undoes a newer one. */
export async function rememberEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const row = { ...data, version: posterVersion(data), catalogVersion: data.version };
  await tx.query(REMEMBER.text, REMEMBER.values(row));
}
