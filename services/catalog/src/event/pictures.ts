import { StoredImage } from '@beltway/contracts/media/images';
import type { Caller } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import { HttpProblem, badField, unavailable } from '@beltway/kit/problems';

/** Who sends a picture; an ad's buyer has no account. */
export interface Sender {
  caller?: Pick<Caller, 'id' | 'isVerified'>;
  address: string;
}

/** Keeps the picture that an event or an ad came with; answers its address, or null for none. */
export type KeepPicture = (imageUrl: string | null | undefined, sender: Sender) => Promise<string | null>;

const REFUSALS = new Set([400, 413, 415, 422]);
const GONE = 'This picture is not here any more. Please select it again';

/**
 * An embedded picture goes to media, which checks and stores it (docs/decisions/0002); its address depends on its content, so a
 * repeat stores nothing twice. Of a stored one media is told before it is named, so that it stays (docs/decisions/0084). Any other address
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
      if (isStored && error instanceof HttpProblem && error.status === 404) throw badField('imageUrl', GONE);
      if (error instanceof HttpProblem && REFUSALS.has(error.status))
        throw new HttpProblem(400, error.code, error.message, {
          errors: [{ field: 'imageUrl', message: error.message }],
        });
      if (error instanceof HttpProblem && error.status === 429) throw error;
      const problem = unavailable(
        'Pictures cannot be stored right now. Nothing was lost; please try again in a moment.',
        3,
      );
      throw Object.assign(problem, { cause: error });
    }
  };
}
