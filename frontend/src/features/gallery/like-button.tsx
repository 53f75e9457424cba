import type { Photo } from '@beltway/contracts/media/gallery';
import Heart from 'lucide-react/icons/heart';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { cx } from '../../ui/cx.ts';
import { useLike } from './api.ts';
import { texts } from './texts.en.ts';

/** A like button with its count; a second press removes the like. */
export function LikeButton({ photo, className }: { photo: Photo; className?: string }) {
  const t = useTexts(texts);
  const like = useLike();
  return (
    <button
      type="button"
      aria-pressed={photo.isLiked}
      onClick={() => like.mutate({ photo, wanted: !photo.isLiked })}
      className={cx(
        'tabular inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full px-3 font-strong hover:bg-sunken',
        className,
      )}
    >
      <Heart aria-hidden className={cx('size-5', photo.isLiked && 'fill-accent text-accent-ink')} />
      <span className="sr-only">{t('like', { title: photo.title })}</span>
      {formatCount(photo.likes)}
      <span className="sr-only">{t('likes', { count: photo.likes })}</span>
    </button>
  );
}
