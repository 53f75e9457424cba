import { StoredImage } from '@beltway/contracts/media/images';
import type { Caller } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem, badField, ofField, unavailable } from '@beltway/kit/problems';

/** Who sends a picture; an ad's buyer has no account. */
export interface Sender {
  caller?: Pick<Caller, 'id' | 'isVerified'>;
  address: string;
}

/** Keeps the picture that an event or an ad came with; answers its address, or null for none. */
export type KeepPicture = (imageUrl: string | null | undefined, sender: Sender) => Promise<string | null>;

const REFUSALS = new Set([400, 413, 415, 422]);

/**
 * An embedded picture goes to media, which checks and stores it (docs/decisions/0072); its address depends on its content, so a
 * repeat stores nothing twice. Media keeps a stored picture once it was notified, which comes before the event names it (docs/decisions/0072). Any other address
 * is kept as it is. Throws 400 for a picture that media refuses or has no more, 429, 503 while media is down.
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

/** Text: each of these conditions has a partial index of its own, which only a literal finds. */
const NAMED = `select url from unnest($1::text[]) u (url) where url like '/media/images/%' and (
  exists (select from listings where picture_url = url and picture_url like '/media/images/%')
  or exists (select from ads where sent_image_url = url and sent_image_url like '/media/images/%')
  or exists (select from ads where shown_image_url = url and shown_image_url like '/media/images/%')
  or exists (select from event_series where published_at is null and details->>'pictureUrl' = url))`;

/**
 * Returns those of these stored pictures that are in use: by an event in any state, by the sent or shown version of an ad, by a series
 * that is not fully published. `KeepPicture` announces every use to media in advance.
 */
export async function namedPictures(db: Queryable, urls: readonly string[]): Promise<string[]> {
  return (await db.query<{ url: string }>(NAMED, [urls])).rows.map(({ url }) => url);
}
