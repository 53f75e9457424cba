import type { ModeratePhotoBody, PhotoToCheck, VerificationRequests } from '@beltway/contracts/media/gallery';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { decideVerification, moderatePhoto, useRefreshGallery } from './api.ts';
import { texts } from './check.texts.en.ts';
import { PhotoBadge } from './photo-badge.tsx';
import { reasonText } from './reasons.ts';

const DONE = {
  verify: 'verified',
  reject: 'rejected',
  keep: 'kept',
  remove: 'removed',
} as const satisfies Record<ModeratePhotoBody['action'], string>;

const after = (note: string): string => `: ${note}`;

interface CheckListProps {
  photos: readonly PhotoToCheck[];
  /** Called when an item leaves the list. The caller must move the focus, which was on that item. */
  onDone: () => void;
}

/** Photos to review, pending or reported, with their reports. */
export const CheckList = ({ photos, onDone }: CheckListProps) => (
  <ul className="grid gap-4">
    {photos.map((photo) => (
      <li key={photo.id}>
        <PhotoCheck photo={photo} onDone={onDone} />
      </li>
    ))}
  </ul>
);

function PhotoCheck({ photo, onDone }: { photo: PhotoToCheck; onDone: () => void }) {
  const t = useTexts(texts);
  const refresh = useRefreshGallery();
  const [asked, setAsked] = useState<'reject' | 'remove' | null>(null);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const act = useAction({
    mutationFn: (body: ModeratePhotoBody) => moderatePhoto(photo.id, body),
    done: (_answer, { action }) => ({ title: t(DONE[action]) }),
    onSuccess: onDone,
    failed: t('notChanged'),
    onSettled: refresh,
  });
  const reject = () => {
    const said = reason.trim();
    if (said === '') return setMissing(t('sayWhy'));
    act.mutate({ action: 'reject', reason: said });
  };
  const { id, title, description, imageUrl, eventId, eventTitle, createdAt, uploaderId, reports, isVerified } = photo;
  return (
    <article
      aria-label={title}
      className="grid gap-4 rounded-lg border border-line bg-raised p-4 md:grid-cols-[18rem_minmax(0,1fr)]"
    >
      <a href={imageUrl} target="_blank" rel="noopener" aria-label={t('fullSize', { title })}>
        <Poster src={imageUrl} alt={description ?? title} className="aspect-4/3 rounded-md" sizes="18rem" />
      </a>
      <div className="grid content-start gap-3">
        <h2 className="text-title wrap-anywhere">
          <bdi>{title}</bdi>
        </h2>
        <Meta className="flex flex-wrap items-center gap-2">
          <PhotoBadge photo={photo} />
          {t('photoBy', { id: String(id), account: String(uploaderId), at: formatMoment(createdAt) })}
        </Meta>
        {description && <p className="whitespace-pre-line wrap-anywhere">{description}</p>}
        <TextLink to={`/event/${eventId}`}>{eventTitle ?? t('eventOf', { id: String(eventId) })}</TextLink>
        {reports.length > 0 && (
          <ul aria-label={t('reports')} className="grid gap-1.5">
            {reports.map(({ reason: said, note, at }) => (
              <li key={at} className="text-note">
                <span className="font-strong">{reasonText(said)}</span>
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
              {isVerified ? (
                <Button pending={act.isPending} onClick={() => act.mutate({ action: 'keep' })}>
                  {t('keep')}
                </Button>
              ) : (
                <Button pending={act.isPending} onClick={() => act.mutate({ action: 'verify' })}>
                  {t('verify')}
                </Button>
              )}
              <Button variant="secondary" onClick={() => setAsked('reject')}>
                {t('reject')}
              </Button>
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

/** Businesses that request a review. */
export function RequestList({ items, onDone }: { items: VerificationRequests['items']; onDone: () => void }) {
  const t = useTexts(texts);
  const refresh = useRefreshGallery();
  const decide = useAction({
    mutationFn: ({ userId, action }: { userId: number; action: 'verify' | 'decline' }) =>
      decideVerification(userId, action),
    done: (_answer, { action }) => ({ title: action === 'verify' ? t('businessVerified') : t('requestDeclined') }),
    onSuccess: onDone,
    failed: t('notChanged'),
    onSettled: refresh,
  });
  return (
    <ul aria-label={t('businesses')} className="grid gap-4">
      {items.map(({ userId, businessName, about, askedAt }) => (
        <Card as="li" ground="raised" key={userId} className="gap-2">
          <h3 className="text-title wrap-anywhere">
            <bdi>{businessName}</bdi>
          </h3>
          <Meta>{t('accountAt', { id: String(userId), at: formatMoment(askedAt) })}</Meta>
          <p className="whitespace-pre-line wrap-anywhere">{about}</p>
          <div className="flex flex-wrap gap-3">
            <Button pending={decide.isPending} onClick={() => decide.mutate({ userId, action: 'verify' })}>
              {t('verifyBusiness', { name: businessName })}
            </Button>
            <Button
              variant="quiet"
              disabled={decide.isPending}
              onClick={() => decide.mutate({ userId, action: 'decline' })}
            >
              {t('decline')}
            </Button>
          </div>
        </Card>
      ))}
    </ul>
  );
}
