import type { TopPick } from '@beltway/contracts/media/top-picks';
import Flag from 'lucide-react/icons/flag';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAge } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { ReportWithReasons } from '../../lib/report/report-dialog.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toast } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { deleteVideo, noteView, reportVideo, useRefreshTopPicks } from './api.ts';
import { LikeButton } from './like-button.tsx';
import { texts } from './player.texts.en.ts';
import { VideoBadges } from './video-badges.tsx';
import { reasons } from './words.ts';

interface PlayerDialogProps {
  video: TopPick;
  /** The reason why an admin rejected the account's own video. */
  reason: string | null;
  onClose: () => void;
}

/** Plays a video in the browser's player, with its keyboard controls. */
export function PlayerDialog({ video, reason, onClose }: PlayerDialogProps) {
  const t = useTexts(texts);
  const age = useAge(video.uploadDate);
  const { id, title, description, videoUrl, thumbnailUrl, uploadedBy, views, promotedEvent } = video;
  const { user } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [isBroken, setBroken] = useState(false);
  const [asked, setAsked] = useState<'report' | 'delete' | null>(null);
  const isNoted = useRef(false);
  const refresh = useRefreshTopPicks();
  const remove = useAction({
    mutationFn: () => deleteVideo(id),
    onSuccess: () => {
      onClose();
      return refresh();
    },
    failed: t('notDeleted'),
  });
  const share = async () => {
    const copied = await copyText(`${window.location.origin}${pathname}#video-${id}`);
    toast(
      copied
        ? { title: t('linkCopied'), description: t('linkCopiedWhy') }
        : { title: t('notCopied'), description: t('notCopiedWhy') },
    );
  };
  const isOwn = user?.id === video.userId;
  return (
    <Dialog onClose={onClose} title={<bdi>{title}</bdi>} size="wide">
      <div className="grid gap-4">
        {/* Uploads have no captions; the description may contain the spoken words. */}
        {/* eslint-disable-next-line jsx-a11y-x/media-has-caption */}
        <video
          src={videoUrl}
          poster={thumbnailUrl}
          controls
          autoPlay
          playsInline
          aria-label={title}
          className="aspect-video w-full rounded-md bg-sunken"
          onPlay={() => {
            if (!isNoted.current) noteView(id);
            isNoted.current = true;
          }}
          onError={() => setBroken(true)}
        />
        {isBroken && (
          <p role="alert" className="text-note text-danger-ink">
            {t.rich('cannotPlay', {
              link: (words) => (
                <a href={videoUrl} download className="underline underline-offset-4">
                  {words}
                </a>
              ),
            })}
          </p>
        )}
        <VideoBadges video={video} />
        {reason !== null && <p className="text-note text-danger-ink">{reason}</p>}
        {description && <p className="whitespace-pre-line wrap-anywhere">{description}</p>}
        {promotedEvent && <TextLink to={`/event/${promotedEvent.id}`}>{promotedEvent.title}</TextLink>}
        <Meta className="tabular">
          <bdi>{uploadedBy}</bdi>
          {t('byline', { number: formatCount(views), count: views, age })}
        </Meta>
        {asked === 'delete' ? (
          <div className="flex flex-wrap items-center gap-3">
            <p className="w-full">{t('deleteWhy')}</p>
            <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate()}>
              {t('deleteVideo')}
            </Button>
            <Button variant="quiet" onClick={() => setAsked(null)}>
              {t('keepIt')}
            </Button>
          </div>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <LikeButton video={video} className="-ml-3" />
            <Button variant="quiet" onClick={() => void share()}>
              <Share2 aria-hidden className="size-4" />
              {t('share')}
            </Button>
            {isOwn ? (
              <Button variant="quiet" onClick={() => setAsked('delete')}>
                <Trash2 aria-hidden className="size-4" />
                {t('delete')}
              </Button>
            ) : (
              <Button
                variant="quiet"
                onClick={() => (user ? setAsked('report') : void navigate(signInPath(`${pathname}#video-${id}`)))}
              >
                <Flag aria-hidden className="size-4" />
                {t('report')}
              </Button>
            )}
          </div>
        )}
      </div>
      {asked === 'report' && (
        <ReportWithReasons
          title={t('reportThis')}
          reasons={reasons()}
          readers={t('readers')}
          send={(body) => reportVideo(id, body)}
          onClose={() => setAsked(null)}
          onReported={() => {
            flushSync(() => setAsked(null)); // so that the toast belongs to the dialog below
            toast({ title: t('reported'), description: t('reportedWhy') });
          }}
        />
      )}
    </Dialog>
  );
}
