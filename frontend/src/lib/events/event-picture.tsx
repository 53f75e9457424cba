import type { Event } from '@beltway/contracts/catalog/events';
import { posterGround } from '@beltway/contracts/media/poster-ground';
import { posterUrl } from '@beltway/contracts/media/poster';
import { Poster } from '../../ui/poster.tsx';

interface EventPictureProps {
  event: Event;
  /** True on the first screen, where pictures load before all others. */
  priority?: boolean;
  /** The picture's width on screen, as in `<img sizes>`. */
  sizes?: string;
  className?: string;
  /** Empty if the title is beside the picture. */
  alt?: string;
}

/**
 * An event's picture. A generated poster has no text: title, day and place are beside it. An event that is not launched
 * yet (id 0) has no poster, only a background color.
 */
export function EventPicture({ event, alt = '', ...shape }: EventPictureProps) {
  const plain = event.id > 0 ? posterUrl(event, 'large', 'plain') : null;
  const isPoster = event.imageUrl?.startsWith('/media/posters/');
  const tint = isPoster || !event.imageUrl ? posterGround(event) : null;
  return (
    <Poster
      src={isPoster ? plain : event.imageUrl}
      {...(plain && { fallback: plain })}
      tint={tint}
      alt={alt}
      {...shape}
    />
  );
}
