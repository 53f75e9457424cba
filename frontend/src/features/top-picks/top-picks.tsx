import type { TopPick } from '@beltway/contracts/media/top-picks';
import { VIDEO_CATEGORIES } from '@beltway/contracts/media/top-picks-texts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Upload from 'lucide-react/icons/upload';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { DIALOG_ENTRY, useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { isPassing } from '../../lib/http/http.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { mineQuery, topPickQuery, topPicksQuery, type Category } from './api.ts';
import { texts } from './texts.en.ts';
import { VideoCard } from './video-card.tsx';

const PlayerDialog = lazily(async () => (await import('./player-dialog.tsx')).PlayerDialog);
const UploadDialog = lazily(async () => (await import('./upload-dialog.tsx')).UploadDialog);

const CHOICES: readonly Category[] = ['all', ...VIDEO_CATEGORIES];
/** URL parameter of the category, so that the selection can be shared. */
const PARAMETER = 'videos';
const UPLOAD = 'upload-video';

/** Videos of events and places (services/media/PRODUCT.md#top-picks). */
export function TopPicks({
  heading: Heading = 'h2',
}: {
  /** `h1` on its own page. With `h2`, an empty list takes only one line. */ heading?: 'h1' | 'h2';
}) {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const category = CHOICES.find((name) => name === params.get(PARAMETER)) ?? 'all';
  const found = useInfiniteQuery(topPicksQuery(category));
  const videos = found.data?.pages.flatMap(({ items }) => items);
  // A permanent failure hides the section, because it is not the page's main content.
  if (found.isLoadingError && !isPassing(found.error)) return null;
  const isNone = Heading === 'h2' && category === 'all' && (!videos || videos.length === 0) && !found.isError;
  const choose = (wanted: Category) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (wanted === 'all') next.delete(PARAMETER);
        else next.set(PARAMETER, wanted);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section aria-labelledby="top-picks-title" className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <Heading id="top-picks-title" className={Heading === 'h1' ? 'text-heading' : 'text-title'}>
          {t('topPicks')}
        </Heading>
        <UploadButton />
      </header>
      {isNone ? null : (
        <>
          <div role="group" aria-label={t('categoryOfVideos')} className="flex flex-wrap gap-2">
            {CHOICES.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === category}
                onClick={() => choose(name)}
                className={cx(
                  'min-h-11 rounded-full border px-4',
                  name === category ? 'border-accent-ink bg-accent-soft font-strong' : 'border-edge hover:bg-sunken',
                )}
              >
                {t(name)}
              </button>
            ))}
          </div>
          <PagedList
            found={found}
            items={videos}
            what={t('videosWhat')}
            skeleton={{ className: 'h-64', of: 'cards' }}
            empty={
              <EmptyState title={t('noVideos')}>{category === 'all' ? t('noneAtAll') : t('noneOfCategory')}</EmptyState>
            }
          >
            {(listed) => <Cards videos={listed} />}
          </PagedList>
        </>
      )}
      <OpenVideo videos={videos ?? []} />
    </section>
  );
}

function Cards({ videos }: { videos: readonly TopPick[] }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <ul aria-label={t('videos')} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {videos.map((video) => (
        <li key={video.id} className="flex">
          <VideoCard
            video={video}
            onPlay={() =>
              void navigate(
                { pathname, search, hash: `video-${video.id}` },
                { state: DIALOG_ENTRY, preventScrollReset: true },
              )
            }
          />
        </li>
      ))}
    </ul>
  );
}

const ENTRY = /^#video-([1-9]\d{0,9})$/;

/** The video that the URL names, such as `#video-7`. A link opens it and Back closes it. */
function OpenVideo({ videos }: { videos: readonly TopPick[] }) {
  const { hash } = useLocation();
  const { user } = useSession();
  const id = Number(ENTRY.exec(hash)?.[1] ?? 0);
  const [, setOpen] = useDialogEntry(`video-${id}`);
  const listed = videos.find((video) => video.id === id);
  const mine = useQuery({ ...mineQuery(), enabled: user !== null && id > 0 });
  const alone = useQuery({ ...topPickQuery(id), enabled: id > 0 && !listed });
  const own = mine.data?.videos.find((video) => video.id === id);
  const video = listed ?? alone.data ?? own;
  if (id === 0 || !video) return null;
  return (
    <Suspense>
      <PlayerDialog key={id} video={video} reason={own?.reason ?? null} onClose={() => setOpen(false)} />
    </Suspense>
  );
}

/** Opens the upload dialog, or the sign-in for visitors. */
function UploadButton() {
  const t = useTexts(texts);
  const { user } = useSession();
  const [isOpen, setOpen] = useDialogEntry(UPLOAD);
  const [isRefused, setRefused] = useState(false);
  const { pathname } = useLocation();
  const mine = useQuery({ ...mineQuery(), enabled: user !== null && isOpen });
  const press = () => {
    if (user) return setOpen(true);
    setRefused(true);
    toast({ title: t('signInFirst'), description: t('signInFirstWhy'), variant: 'destructive' });
  };
  return (
    <div className="flex flex-wrap gap-3">
      {!user && isRefused && (
        <ButtonLink variant="quiet" to={signInPath(`${pathname}#${UPLOAD}`)}>
          {t('signIn')}
        </ButtonLink>
      )}
      <Button variant="secondary" onClick={press}>
        <Upload aria-hidden className="size-4" />
        {t('uploadVideo')}
      </Button>
      {user && isOpen && !mine.isPending && (
        <Suspense>
          <UploadDialog clips={mine.data?.clips ?? []} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
