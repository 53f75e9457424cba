import type { Photo } from '@beltway/contracts/media/gallery';
import { storedSizes, tintOf } from '@beltway/contracts/media/pictures';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Flag from 'lucide-react/icons/flag';
import Trash2 from 'lucide-react/icons/trash';
import X from 'lucide-react/icons/x';
import * as RadixDialog from '@radix-ui/react-dialog';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toastSlot } from '../../ui/toast.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { LikeButton } from './like-button.tsx';
import { PhotoBadge } from './photo-badge.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { texts } from './texts.en.ts';

interface LightboxProps {
  photo: Photo;
  /** The photo's position among the loaded photos, from 1; null for a photo opened by a link. */
  place: { at: number; of: number } | null;
  /** null on the first photo; `onNext` is null on the last photo. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
}

/**
 * One photo in full screen. Arrow keys switch photos, Escape closes; the focus stays inside and returns to the photo's
 * card.
 */
export function Lightbox({ photo, place, onPrevious, onNext, onClose }: LightboxProps) {
  const t = useTexts(texts);
  const [dialog, setDialog] = useState<'report' | 'delete' | null>(null);
  const [opener] = useState(() => document.activeElement);
  const { title, description, createdAt, eventId, eventTitle, imageUrl, width, height, isVerified, isOwn, reason } =
    photo;
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onKeyDown={(press) => {
            if (press.altKey || press.ctrlKey || press.metaKey || dialog) return;
            // While a toast is visible, Escape closes only the toast, because Radix handles it first.
            if (press.key === 'Escape' && !press.defaultPrevented) return onClose();
            if (press.key === 'ArrowLeft') onPrevious?.();
            else if (press.key === 'ArrowRight') onNext?.();
            else return;
            press.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const card = document.querySelector<HTMLElement>(`[data-photo="${photo.id}"] button`);
            const target = card ?? (opener instanceof HTMLElement ? opener : null);
            target?.focus();
          }}
          className="fixed inset-0 z-50 flex flex-col overflow-y-auto bg-ground lg:flex-row lg:overflow-hidden"
        >
          <div className="relative flex min-h-[55dvh] flex-1 items-center justify-center bg-sunken p-3 lg:p-6">
            <img
              key={imageUrl}
              src={imageUrl}
              srcSet={storedSizes(imageUrl)
                ?.map(({ url, width: wide }) => `${url} ${wide}w`)
                .join(', ')}
              sizes="(min-width: 64rem) 72vw, 100vw"
              width={width}
              height={height}
              alt={description ?? title}
              className="h-auto rounded-md [--tall:60dvh] lg:[--tall:calc(100dvh-3rem)]"
              // Reserves the photo's space, in the photo's own color, before it loads.
              style={{
                aspectRatio: `${width} / ${height}`,
                width: `min(100%, ${width}px, calc(var(--tall) * ${width / height}))`,
                backgroundColor: tintOf(imageUrl) ?? undefined,
              }}
            />
            {/* Uses `aria-disabled`, because a `disabled` button loses the focus, and arrow keys stop working. */}
            {place && place.of > 1 && (
              <>
                <IconButton
                  label={t('previous')}
                  aria-disabled={!onPrevious}
                  onClick={() => onPrevious?.()}
                  className="absolute left-3 top-1/2 -translate-y-1/2 bg-raised aria-disabled:opacity-40"
                >
                  <ChevronLeft aria-hidden />
                </IconButton>
                <IconButton
                  label={t('next')}
                  aria-disabled={!onNext}
                  onClick={() => onNext?.()}
                  className="absolute right-3 top-1/2 -translate-y-1/2 bg-raised aria-disabled:opacity-40"
                >
                  <ChevronRight aria-hidden />
                </IconButton>
              </>
            )}
          </div>
          <div className="grid content-start gap-4 px-5 py-5 lg:w-96 lg:overflow-y-auto lg:border-l lg:border-line">
            <header className="flex items-start justify-between gap-4">
              <RadixDialog.Title className="text-heading wrap-anywhere">
                <bdi>{title}</bdi>
              </RadixDialog.Title>
              <RadixDialog.Close asChild>
                <IconButton
                  label={t('close')}
                  className="-mr-2 -mt-1.5 max-lg:fixed max-lg:right-4 max-lg:top-3 max-lg:bg-raised"
                >
                  <X aria-hidden />
                </IconButton>
              </RadixDialog.Close>
            </header>
            <Meta className="flex flex-wrap items-center gap-2">
              <PhotoBadge photo={photo} />
              <time dateTime={createdAt}>{formatDate(createdAt)}</time>
              {place && <span aria-live="polite">{t('place', { at: String(place.at), of: String(place.of) })}</span>}
            </Meta>
            {description && <p className="whitespace-pre-line wrap-anywhere">{description}</p>}
            {eventTitle && <TextLink to={`/event/${eventId}`}>{eventTitle}</TextLink>}
            {isVerified && <Meta>{t('byVerified')}</Meta>}
            {photo.status === 'rejected' && <p className="text-note text-danger-ink">{reason ?? t('adminSaidNo')}</p>}
            <div className="flex flex-wrap items-center gap-2">
              <LikeButton photo={photo} className="-ml-3" />
              {isOwn ? (
                <Button variant="quiet" onClick={() => setDialog('delete')}>
                  <Trash2 aria-hidden className="size-4" />
                  {t('delete')}
                </Button>
              ) : (
                <Button variant="quiet" onClick={() => setDialog('report')}>
                  <Flag aria-hidden className="size-4" />
                  {t('report')}
                </Button>
              )}
            </div>
            <div ref={toastSlot} />
          </div>
          {dialog === 'report' && <ReportDialog photo={photo} onClose={() => setDialog(null)} />}
          {dialog === 'delete' && (
            <DeleteDialog
              photo={photo}
              onClose={() => setDialog(null)}
              onDeleted={() => {
                setDialog(null);
                onClose();
              }}
            />
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
