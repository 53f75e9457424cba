import type { Photo } from '@beltway/contracts/media/gallery';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { LikeButton } from './like-button.tsx';
import { PhotoBadge } from './photo-badge.tsx';
import { texts } from './texts.en.ts';

interface PhotoCardProps {
  photo: Photo;
  /** True in the first viewport, where pictures load first. */
  priority: boolean;
  onOpen: () => void;
}

/** A photo in the grid: the picture opens it; the like button is beside it. */
export function PhotoCard({ photo, priority, onOpen }: PhotoCardProps) {
  const t = useTexts(texts);
  const { title, description, createdAt, eventTitle, imageUrl, isVerified, status, reason } = photo;
  return (
    <article aria-label={title} className="flex flex-col overflow-hidden rounded-lg border border-line bg-raised">
      <button
        type="button"
        onClick={onOpen}
        aria-label={t('open', { title })}
        aria-haspopup="dialog"
        className="block w-full focus-visible:-outline-offset-4"
      >
        <Poster
          src={imageUrl}
          alt=""
          priority={priority}
          className="aspect-4/3"
          sizes="(min-width: 64rem) 24rem, (min-width: 40rem) 46vw, 100vw"
        />
      </button>
      <div className="grid flex-1 content-start gap-1.5 px-4 pt-3">
        <h2 className="text-title wrap-anywhere">
          <bdi>{title}</bdi>
        </h2>
        {description && <p className="line-clamp-3 wrap-anywhere text-ink-soft">{description}</p>}
        {eventTitle && (
          <Meta className="line-clamp-1">
            <bdi>{eventTitle}</bdi>
          </Meta>
        )}
        {isVerified ? (
          <Meta>{t('byVerified')}</Meta>
        ) : (
          <Meta>{status === 'pending' ? t('onlyYou') : (reason ?? t('adminSaidNo'))}</Meta>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-2 pt-1">
        <span className="flex flex-wrap items-center gap-2">
          <PhotoBadge photo={photo} />
          <Meta as="time" dateTime={createdAt} className="tabular">
            {formatDate(createdAt)}
          </Meta>
        </span>
        <LikeButton photo={photo} className="-mr-3" />
      </div>
    </article>
  );
}
