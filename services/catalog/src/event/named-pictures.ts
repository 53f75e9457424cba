import type { Queryable } from '@beltway/kit/postgres';

/** Each of these conditions has an index of its own. */
const NAMED = `select url from unnest($1::text[]) u (url) where url like '/media/images/%' and (
  exists (select from listings where picture_url = url and picture_url like '/media/images/%')
  or exists (select from ads where sent_image_url = url and sent_image_url like '/media/images/%')
  or exists (select from ads where shown_image_url = url and shown_image_url like '/media/images/%')
  or exists (select from event_series where published_at is null and details->>'pictureUrl' = url))`;

/**
 * Which of these addresses of stored pictures somebody names: an event in any state, what was sent or is shown of an ad, a series that is not
 * published whole. Who is about to name one has told media before (`pictures.ts`).
 */
export async function namedPictures(db: Queryable, urls: readonly string[]): Promise<string[]> {
  return (await db.query<{ url: string }>(NAMED, [urls])).rows.map(({ url }) => url);
}
