import { MailPicture } from '@beltway/contracts/media/images';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';

export interface Pictures {
  /**
   * The event's picture as JPEG; null for one that is not ours, or cannot be had now: a mail does not wait for its
   * looks.
   */
  of(imageUrl: string | null): Promise<Buffer | null>;
}

/** Some 30 kB each. Orders of a rush are for a few events. */
const KEPT = 64;
/** While media is away each mail would wait for it: so long it is not asked for this picture again (milliseconds). */
const MISSED_MS = 60_000;

/** Asks media, once for an event and not for each mail. Without media no event has a picture. */
export function mailPictures(media: Pick<InternalClient, 'get'> | null, log: Logger, now = Date.now): Pictures {
  const known = new Map<string, { jpeg: Promise<Buffer | null>; until: number }>();

  async function fetched(imageUrl: string, entry: { until: number }): Promise<Buffer | null> {
    try {
      const answer = await media!.get(`/internal/mail-picture?${new URLSearchParams({ path: imageUrl }).toString()}`);
      return Buffer.from(MailPicture.parse(answer).jpeg, 'base64');
    } catch (error) {
      entry.until = now() + MISSED_MS;
      log.warn({ err: error, imageUrl }, 'mails and tickets go out without this picture');
      return null;
    }
  }

  return {
    async of(imageUrl) {
      // What organizers link from elsewhere is not fetched: the address could be anywhere, also within our network.
      if (!media || !imageUrl?.startsWith('/media/')) return null;
      const found = known.get(imageUrl);
      if (found && now() < found.until) return found.jpeg;
      const entry = { until: Infinity, jpeg: Promise.resolve<Buffer | null>(null) };
      entry.jpeg = fetched(imageUrl, entry);
      known.delete(imageUrl);
      known.set(imageUrl, entry);
      // A Map keeps the order in which its keys were set: the oldest goes.
      if (known.size > KEPT) known.delete(known.keys().next().value!);
      return entry.jpeg;
    },
  };
}
