import type { TopPick } from '@beltway/contracts/top-picks';
import { useMutation } from '@tanstack/react-query';
import { Flag, Share2, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { copyText } from '../../lib/copy-text.ts';
import { formatAge, formatCount } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { ReportWithReasons } from '../../lib/report-dialog.tsx';
import { signInPath } from '../../lib/return-path.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { deleteVideo, noteView, reportVideo, useRefreshTopPicks } from './api.ts';
import { LikeButton } from './like-button.tsx';
import { VideoBadges } from './video-badges.tsx';
import { REASONS } from './words.ts';

interface PlayerDialogProps {
  video: TopPick;
  /** Of one's own that an admin rejected. */
  reason: string | null;
  onClose: () => void;
}

/** Plays a video, by the browser's own player: its keys work. */
export function PlayerDialog({ video, reason, onClose }: PlayerDialogProps) {
  const { id, title, description, videoUrl, thumbnailUrl, uploadedBy, uploadDate, views, promotedEvent } = video;
  const { user } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [isBroken, setBroken] = useState(false);
  const [asked, setAsked] = useState<'report' | 'delete' | null>(null);
  const isNoted = useRef(false);
  const refresh = useRefreshTopPicks();
  const remove = useMutation({
    mutationFn: () => deleteVideo(id),
    onSuccess: () => {
      onClose();
      toast({ title: 'Video deleted', at: window.location.pathname });
      return refresh();
    },
    onError: (error) => toast({ title: 'Not deleted', description: explain(error), variant: 'destructive' }),
  });
  const share = async () => {
    const copied = await copyText(`${window.location.origin}${pathname}#video-${id}`);
    toast(
      copied
        ? { title: 'Link Copied', description: 'Video link copied to clipboard!' }
        : { title: 'Not copied', description: 'Your browser does not let us. The address bar has the link.' },
    );
  };
  const isOwn = user?.id === video.userId;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={<bdi>{title}</bdi>} size="wide">
      <div className="grid gap-4">
        {/* People upload no captions: what is said in a video is said in its description, if anywhere. */}
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
            Your browser cannot play this video.{' '}
            <a href={videoUrl} download className="underline underline-offset-4">
              Download it
            </a>
          </p>
        )}
        <VideoBadges video={video} />
        {reason !== null && <p className="text-note text-danger-ink">{reason}</p>}
        {description && <p className="whitespace-pre-line break-words">{description}</p>}
        {promotedEvent && (
          <Link
            to={`/event/${promotedEvent.id}`}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {promotedEvent.title}
          </Link>
        )}
        <p className="tabular text-note text-ink-soft">
          <bdi>{uploadedBy}</bdi> · {formatCount(views)} {views === 1 ? 'view' : 'views'} · {formatAge(uploadDate)}
        </p>
        {asked === 'delete' ? (
          <div className="flex flex-wrap items-center gap-3">
            <p className="w-full">It leaves Top Picks with its likes and views, and does not come back.</p>
            <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate()}>
              Delete video
            </Button>
            <Button variant="quiet" onClick={() => setAsked(null)}>
              Keep it
            </Button>
          </div>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <LikeButton video={video} className="-ml-3" />
            <Button variant="quiet" onClick={() => void share()}>
              <Share2 aria-hidden className="size-4" />
              Share
            </Button>
            {isOwn ? (
              <Button variant="quiet" onClick={() => setAsked('delete')}>
                <Trash2 aria-hidden className="size-4" />
                Delete
              </Button>
            ) : (
              <Button
                variant="quiet"
                onClick={() => (user ? setAsked('report') : void navigate(signInPath(`${pathname}#video-${id}`)))}
              >
                <Flag aria-hidden className="size-4" />
                Report
              </Button>
            )}
          </div>
        )}
      </div>
      {asked === 'report' && (
        <ReportWithReasons
          what="video"
          reasons={REASONS}
          readers="The people of Beltway look at it."
          send={(body) => reportVideo(id, body)}
          onClose={() => setAsked(null)}
          onReported={() => {
            flushSync(() => setAsked(null)); // so that the toast belongs to what is below
            toast({ title: 'Video reported', description: 'Thank you. We look at it.' });
          }}
        />
      )}
    </Dialog>
  );
}
