import type { Event } from '@beltway/contracts/catalog/events';
import { posterGround } from '@beltway/contracts/media/poster-ground';
import { posterUrl } from '@beltway/contracts/media/poster';
import { Poster } from '../../ui/poster.tsx';

interface EventPictureProps {
  event: Event;
  /** Of the first screen: loaded before all others. */
  priority?: boolean;
  /** How wide it is shown, as of `<img sizes>`. */
  sizes?: string;
  className?: string;
}

/** An event's picture in a list. Its poster comes without words there: title, day and place stand beside it. */
export function EventPicture({ event, ...shape }: EventPictureProps) {
  const plain = posterUrl(event, 'large', 'plain');
  const isPoster = event.imageUrl?.startsWith('/media/posters/');
  const tint = isPoster || !event.imageUrl ? posterGround(event) : null;
  return <Poster src={isPoster ? plain : event.imageUrl} fallback={plain} tint={tint} alt="" {...shape} />;
}
