import type { OrganizerProfileBody } from '@beltway/contracts/catalog/organizer-profile';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem, ofField } from '@beltway/kit/problems';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import type { KeepPicture, Sender } from '../event/pictures.ts';

/**
 * Writes an organizer's profile; idempotent. Before the profile refers to its pictures, requests media to keep them.
 * Throws 400 for a picture that media no longer has, 503 while media is down.
 */
export async function saveProfile(
  db: Queryable,
  keepPicture: KeepPicture,
  userId: number,
  profile: OrganizerProfileBody,
  sender: Sender,
): Promise<void> {
  for (const field of ['pictureUrl', 'coverUrl'] as const)
    await keepPicture(profile[field], sender).catch((error: unknown) => {
      throw error instanceof HttpProblem && error.status === 400 ? ofField(400, error, field) : error;
    });
  await kysely(db)
    .insertInto('organizerProfiles')
    .values({ userId, ...profile, updatedAt: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet((eb) => excluded(eb, ['about', 'links', 'pictureUrl', 'coverUrl', 'updatedAt'])),
    )
    .execute();
}
