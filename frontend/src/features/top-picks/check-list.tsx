import type { ModerateTopPickBody, TopPickToCheck } from '@beltway/contracts/media/top-picks';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { moderateVideo, useRefreshTopPicks } from './api.ts';
import { texts } from './check.texts.en.ts';
import { VideoBadges } from './video-badges.tsx';
import { reasons } from './words.ts';

const DONE = {
  approve: 'approved',
  reject: 'rejected',
  feature: 'isFeatured',
  unfeature: 'notFeatured',
  keep: 'kept',
  remove: 'removed',
} as const satisfies Record<ModerateTopPickBody['action'], string>;

const after = (note: string): string => `: ${note}`;

interface CheckListProps {
  videos: readonly TopPickToCheck[];
  /** Called after a decision, to move the focus, because the video may leave the list. */
  onDone: () => void;
}

/** Videos to review, with their reports. */
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
  const t = useTexts(texts);
  const refresh = useRefreshTopPicks();
  const [asked, setAsked] = useState<'reject' | 'remove' | null>(null);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const act = useAction({
    mutationFn: (body: ModerateTopPickBody) => moderateVideo(video.id, body),
    done: (_answer, { action }) => ({ title: t(DONE[action]) }),
    onSuccess: () => {
      setAsked(null);
      onDone();
    },
    failed: t('notChanged'),
    onSettled: refresh,
  });
  const reject = () => {
    const said = reason.trim();
    if (said === '') return setMissing(t('sayWhy'));
    act.mutate({ action: 'reject', reason: said });
  };
  const { id, title, description, videoUrl, thumbnailUrl, uploadedBy, userId, uploadDate, reports: said } = video;
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
        <h2 className="text-title wrap-anywhere">
          <bdi>{title}</bdi>
        </h2>
        <VideoBadges video={video} />
        <Meta>
          {t.rich('videoBy', {
            id: String(id),
            name: () => <bdi>{uploadedBy}</bdi>,
            account: String(userId),
            at: formatMoment(uploadDate),
          })}
        </Meta>
        {description && <p className="whitespace-pre-line wrap-anywhere">{description}</p>}
        {video.reason !== null && <p className="text-note text-danger-ink">{video.reason}</p>}
        {said.length > 0 && (
          <ul aria-label={t('reports')} className="grid gap-1.5">
            {said.map(({ reason: why, note, at }) => (
              <li key={at} className="text-note">
                <span className="font-strong">{reasons()[why]}</span>
                {note && <span className="whitespace-pre-line wrap-anywhere">{after(note)}</span>}
                <span className="ms-1 text-ink-soft">{formatMoment(at)}</span>
              </li>
            ))}
          </ul>
        )}
        {asked === 'reject' && (
          <TextField
            label={t('reason')}
            hint={t('reasonHint')}
            value={reason}
            error={missing}
            maxLength={200}
            onChange={(typed) => {
              setReason(typed);
              setMissing(null);
            }}
          />
        )}
        {asked === 'remove' && <p>{t('removeWhy')}</p>}
        <div className="flex flex-wrap gap-3">
          {asked === null && (
            <>
              {said.length > 0 && button('keep', t('keep'))}
              {video.approved
                ? button(video.featured ? 'unfeature' : 'feature', video.featured ? t('unfeature') : t('feature'))
                : button('approve', t('approve'))}
              {video.approved && (
                <Button variant="quiet" onClick={() => setAsked('reject')}>
                  {t('reject')}
                </Button>
              )}
              <Button variant="quiet" onClick={() => setAsked('remove')}>
                {t('remove')}
              </Button>
            </>
          )}
          {asked === 'reject' && (
            <Button variant="danger" pending={act.isPending} onClick={reject}>
              {t('reject')}
            </Button>
          )}
          {asked === 'remove' && (
            <Button variant="danger" pending={act.isPending} onClick={() => act.mutate({ action: 'remove' })}>
              {t('removeForGood')}
            </Button>
          )}
          {asked !== null && (
            <Button variant="quiet" onClick={() => setAsked(null)}>
              {t('back')}
            </Button>
          )}
        </div>
      </div>
    </article>
  );
}
