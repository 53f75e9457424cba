import type { ModerateTopPickBody, TopPickToCheck } from '@beltway/contracts/top-picks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { moderateVideo, useRefreshTopPicks } from './api.ts';
import { VideoBadges } from './video-badges.tsx';
import { REASONS } from './words.ts';

const DONE: Record<ModerateTopPickBody['action'], string> = {
  approve: 'Video approved',
  reject: 'Video rejected',
  feature: 'Video featured',
  unfeature: 'Video not featured any more',
  keep: 'Video kept',
  remove: 'Video removed',
};

interface CheckListProps {
  videos: readonly TopPickToCheck[];
  /** Takes the focus from what leaves the list. */
  onDone: () => void;
}

/** Videos for an admin's look, with what was said of them. */
export const CheckList = ({ videos, onDone }: CheckListProps) => (
  <ul className="grid gap-4">
    {videos.map((video) => (
      <li key={video.id}>
        <VideoCheck video={video} onDone={onDone} />
      </li>
    ))}
  </ul>
);

function VideoCheck({ video, onDone }: { video: TopPickToCheck; onDone: () => void }) {
  const refresh = useRefreshTopPicks();
  const [asked, setAsked] = useState<'reject' | 'remove' | null>(null);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const act = useMutation({
    mutationFn: (body: ModerateTopPickBody) => moderateVideo(video.id, body),
    onSuccess: (_answer, { action }) => {
      setAsked(null);
      toast({ title: DONE[action] });
      onDone();
    },
    onError: (error) => toast({ title: 'Not changed', description: explain(error), variant: 'destructive' }),
    onSettled: refresh,
  });
  const reject = () => {
    const said = reason.trim();
    if (said === '') return setMissing('Please say why');
    act.mutate({ action: 'reject', reason: said });
  };
  const { id, title, description, videoUrl, thumbnailUrl, uploadedBy, userId, uploadDate, reports } = video;
  const button = (action: 'approve' | 'feature' | 'unfeature' | 'keep', label: string) => (
    <Button variant="secondary" pending={act.isPending} onClick={() => act.mutate({ action })}>
      {label}
    </Button>
  );
  return (
    <article
      aria-label={title}
      className="grid gap-4 rounded-lg border border-line bg-raised p-4 md:grid-cols-[18rem_minmax(0,1fr)]"
    >
      {/* eslint-disable-next-line jsx-a11y-x/media-has-caption */}
      <video
        src={videoUrl}
        poster={thumbnailUrl}
        controls
        preload="none"
        playsInline
        aria-label={title}
        className="aspect-video w-full rounded-md bg-sunken"
      />
      <div className="grid content-start gap-3">
        <h2 className="text-title break-words">
          <bdi>{title}</bdi>
        </h2>
        <VideoBadges video={video} />
        <p className="text-note text-ink-soft">
          Video {id}, by <bdi>{uploadedBy}</bdi> (account {userId}), {formatMoment(uploadDate)}
        </p>
        {description && <p className="whitespace-pre-line break-words">{description}</p>}
        {video.reason !== null && <p className="text-note text-danger-ink">{video.reason}</p>}
        {reports.length > 0 && (
          <ul aria-label="Reports" className="grid gap-1.5">
            {reports.map(({ reason: said, note, at }) => (
              <li key={at} className="text-note">
                <span className="font-strong">{REASONS[said]}</span>
                {note && <span className="whitespace-pre-line break-words">: {note}</span>}{' '}
                <span className="text-ink-soft">{formatMoment(at)}</span>
              </li>
            ))}
          </ul>
        )}
        {asked === 'reject' && (
          <TextField
            label="Reason"
            hint="Its uploader reads it."
            value={reason}
            error={missing}
            maxLength={200}
            onChange={(typed) => {
              setReason(typed);
              setMissing(null);
            }}
          />
        )}
        {asked === 'remove' && <p>It leaves Top Picks for good, with its file.</p>}
        <div className="flex flex-wrap gap-3">
          {asked === null && (
            <>
              {reports.length > 0 && button('keep', 'Keep')}
              {video.approved
                ? button(video.featured ? 'unfeature' : 'feature', video.featured ? 'Do not feature' : 'Feature')
                : button('approve', 'Approve')}
              {video.approved && (
                <Button variant="quiet" onClick={() => setAsked('reject')}>
                  Reject
                </Button>
              )}
              <Button variant="quiet" onClick={() => setAsked('remove')}>
                Remove
              </Button>
            </>
          )}
          {asked === 'reject' && (
            <Button variant="danger" pending={act.isPending} onClick={reject}>
              Reject
            </Button>
          )}
          {asked === 'remove' && (
            <Button variant="danger" pending={act.isPending} onClick={() => act.mutate({ action: 'remove' })}>
              Remove for good
            </Button>
          )}
          {asked !== null && (
            <Button variant="quiet" onClick={() => setAsked(null)}>
              Back
            </Button>
          )}
        </div>
      </div>
    </article>
  );
}
