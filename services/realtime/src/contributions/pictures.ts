import type { InternalClient } from '@beltway/kit/internal';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem, badField, unavailable } from '@beltway/kit/problems';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/**
 * Asks media to keep this picture before a post refers to it (decision 72). Throws 400 if the picture is missing, 503
 * while media is down.
 */
export async function keepPicture(media: Pick<InternalClient, 'post'>, url: string): Promise<void> {
  try {
    await media.post('/internal/images/kept', { url });
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) throw badField('imageUrl', 'invalid.picture-gone');
    const problem = unavailable('pictures-unposted', 3);
    throw Object.assign(problem, { cause: error });
  }
}

/** Those of these stored pictures that contributions refer to, including hidden contributions. */
export async function namedPictures(db: Queryable, urls: readonly string[]): Promise<string[]> {
  const rows = await kysely(db)
    .selectFrom(sql<{ url: string }>`unnest(${urls}::text[])`.as<'u'>(sql`u (url)`))
    .select('u.url')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('contributions').select('id').whereRef('imageUrl', '=', 'u.url')),
    )
    .execute();
  return rows.map(({ url }) => url);
}
