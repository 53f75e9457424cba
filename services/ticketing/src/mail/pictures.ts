import { MailPicture } from '@beltway/contracts/media/images';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { remembered } from './remembered.ts';

export interface Pictures {
  /**
   * The event's picture as JPEG. null if the picture is external, or if it is unavailable, because mails do not wait
   * for pictures.
   */
  of(imageUrl: string | null): Promise<Buffer | null>;
}

/**
 * Fetches the picture of an event from media once, not once per mail. If no media is configured, no event has a
 * picture.
 */
export function mailPictures(media: Pick<InternalClient, 'get'> | null, log: Logger, now = Date.now): Pictures {
  const pictureAt = remembered(
    async (path) => {
      const answer = await media!.get(`/internal/mail-picture?${new URLSearchParams({ path }).toString()}`);
      return Buffer.from(MailPicture.parse(answer).jpeg, 'base64');
    },
    {
      now,
      missed: (imageUrl, error) =>
        log.warn({ err: error, imageUrl }, 'a picture is unavailable; mails and PDFs go without it'),
    },
  );
  return {
    async of(imageUrl) {
      // External pictures are not fetched, because their URL could point into our network (SSRF).
      if (!media || !imageUrl?.startsWith('/media/')) return null;
      return pictureAt(imageUrl);
    },
  };
}
