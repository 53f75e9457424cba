import type { TopPick } from '@beltway/contracts/media/top-picks';
import Play from 'lucide-react/icons/play';
import { useAge } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatShort } from '../../lib/i18n/format.ts';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { LikeButton } from './like-button.tsx';
import { texts } from './texts.en.ts';
import { VideoBadges } from './video-badges.tsx';

/** A video in the list. A press on its picture plays it; the like button is separate. */
export function VideoCard({ video, onPlay }: { video: TopPick; onPlay: () => void }) {
  const t = useTexts(texts);
  const age = useAge(video.uploadDate);
  const { title, thumbnailUrl, uploadedBy, views } = video;
  return (
    <article
      aria-label={title}
      className="flex w-full flex-col overflow-hidden rounded-lg border border-line bg-raised"
    >
      <button
        type="button"
        onClick={onPlay}
        aria-label={t('play', { title })}
        aria-haspopup="dialog"
        className="relative block w-full focus-visible:-outline-offset-4"
      >
        <Poster src={thumbnailUrl} alt="" className="aspect-video" sizes="(min-width: 40rem) 20rem, 100vw" />
        <span className="absolute bottom-3 left-3 grid size-11 place-items-center rounded-full bg-raised text-ink">
          <Play aria-hidden className="size-5 fill-current" />
        </span>
      </button>
      <div className="grid flex-1 content-start gap-1.5 px-4 pt-3">
        <VideoBadges video={video} />
        <h3 className="line-clamp-2 font-strong wrap-anywhere">
          <bdi>{title}</bdi>
        </h3>
        <Meta>
          <bdi>{uploadedBy}</bdi>
        </Meta>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-2">
        <Meta as="span" className="tabular">
          {t('views', { number: formatShort(views), count: views, age })}
        </Meta>
        <LikeButton video={video} className="-mr-3" />
      </div>
    </article>
  );
}
