import { StoredImage } from '@beltway/contracts/media/images';
import type { Caller } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem, badField, ofField, unavailable } from '@beltway/kit/problems';

/** The sender of a picture. The buyer of an ad has no account. */
export interface Sender {
  caller?: Pick<Caller, 'id' | 'isVerified'>;
  address: string;
}

/** Stores the picture of an event, an ad or a profile. Returns its URL, or null if there is no picture. */
export type KeepPicture = (imageUrl: string | null | undefined, sender: Sender) => Promise<string | null>;

const REFUSALS = new Set([400, 413, 415, 422]);

/**
 * Sends an embedded picture to media, which checks and stores it (docs/decisions/0072). The URL of a picture depends on
 * its content, so a repeated request stores nothing twice. If the URL is that of a stored picture, requests media to
 * keep this picture, before the event refers to it. Returns any other URL unchanged. Throws 400 if media refuses the
 * picture or has deleted it, 429 if media limits the sender, 503 while media is down.
 */
export function openPictures(media: Pick<InternalClient, 'post'>): KeepPicture {
  return async (imageUrl, { caller, address }) => {
    if (!imageUrl) return null;
    const isStored = imageUrl.startsWith('/media/images/');
    if (!isStored && !imageUrl.startsWith('data:')) return imageUrl;
    try {
      if (isStored) {
        await media.post('/internal/images/kept', { url: imageUrl });
        return imageUrl;
      }
      const account = caller && { uploadedBy: caller.id, isVerified: caller.isVerified };
      const body = { dataUrl: imageUrl, ...account, address };
      return StoredImage.parse(await media.post('/internal/images', body)).url;
    } catch (error) {
      if (isStored && error instanceof HttpProblem && error.status === 404)
        throw badField('imageUrl', 'invalid.picture-gone');
      if (error instanceof HttpProblem && REFUSALS.has(error.status)) throw ofField(400, error, 'imageUrl');
      if (error instanceof HttpProblem && error.status === 429) throw error;
      const problem = unavailable('pictures-unstored', 3);
      throw Object.assign(problem, { cause: error });
    }
  };
}

/** Plain SQL, because each condition has its own partial index, which PostgreSQL uses only for literals. */
const NAMED = `select url from unnest($1::text[]) u (url) where url like '/media/images/%' and (
  exists (select from listings where picture_url = url and picture_url like '/media/images/%')
  or exists (select from ads where sent_image_url = url and sent_image_url like '/media/images/%')
  or exists (select from ads where shown_image_url = url and shown_image_url like '/media/images/%')
  or exists (select from organizer_profiles where picture_url = url or cover_url = url)
  or exists (select from event_series where published_at is null and details->>'pictureUrl' = url))`;

/**
 * The pictures of this list that are in use: by an event in any state, by an ad (its shown or its latest submitted
 * content), by an organizer's profile, or by a series that is not fully published. `KeepPicture` announces each use to
 * media before the use is stored.
 */
export async function namedPictures(db: Queryable, urls: readonly string[]): Promise<string[]> {
  return (await db.query<{ url: string }>(NAMED, [urls])).rows.map(({ url }) => url);
}
