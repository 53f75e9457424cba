import type { InternalClient } from '@beltway/kit/internal';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem, badField, unavailable } from '@beltway/kit/problems';

/**
 * Tells media that a post is about to name this picture, so that it stays (decision 84). Throws 400 for one that is not there, 503 while
 * media is down.
 */
export async function keepPicture(media: Pick<InternalClient, 'post'>, url: string): Promise<void> {
  try {
    await media.post('/internal/images/kept', { url });
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404)
      throw badField('imageUrl', 'This picture is not here any more. Please select it again');
    const problem = unavailable(
      'Pictures cannot be posted right now. Nothing was lost; please try again in a moment.',
      3,
    );
    throw Object.assign(problem, { cause: error });
  }
}

/** Which of these addresses of stored pictures a post names, also one that is hidden. */
export async function namedPictures(db: Queryable, urls: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ url: string }>(
    'select url from unnest($1::text[]) u (url) where exists (select from social_posts where image_url = url)',
    [urls],
  );
  return rows.map(({ url }) => url);
}
