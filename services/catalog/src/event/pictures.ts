import { StoredImage } from '@beltway/contracts/media';
import type { InternalClient } from '@beltway/kit/internal';
import { HttpProblem, unavailable } from '@beltway/kit/problems';

/** Keeps the picture an event came with, of this account; answers its address, or null for none. */
export type KeepPicture = (imageUrl: string | null | undefined, uploadedBy?: number) => Promise<string | null>;

const REFUSALS = new Set([400, 413, 415, 422]);

/**
 * An embedded picture goes to media, which checks and stores it (docs/decisions/0002); its address depends on its content, so a
 * repeat stores nothing twice. Any other address is kept as it is. Throws 400 for a picture media refuses, 503 while media is down.
 */
export function openPictures(media: Pick<InternalClient, 'post'>): KeepPicture {
  return async (imageUrl, uploadedBy) => {
    if (!imageUrl) return null;
    if (!imageUrl.startsWith('data:')) return imageUrl;
    try {
      const body = { dataUrl: imageUrl, ...(uploadedBy !== undefined && { uploadedBy }) };
      return StoredImage.parse(await media.post('/internal/images', body)).url;
    } catch (error) {
      if (error instanceof HttpProblem && REFUSALS.has(error.status))
        throw new HttpProblem(400, error.code, error.message, {
          errors: [{ field: 'imageUrl', message: error.message }],
        });
      const problem = unavailable(
        'Pictures cannot be stored right now. Nothing was lost; please try again in a moment.',
        3,
      );
      throw Object.assign(problem, { cause: error });
    }
  };
}
