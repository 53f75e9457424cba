import type { Photo, UploadRights } from '@beltway/contracts/media/gallery';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Camera from 'lucide-react/icons/camera';
import ImagePlus from 'lucide-react/icons/image-plus';
import type { ReactNode } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { photoEventsQuery, photoQuery, photosQuery, rightsQuery } from '../../features/gallery/api.ts';
import { Lightbox } from '../../features/gallery/lightbox.tsx';
import { PhotoCard } from '../../features/gallery/photo-card.tsx';
import { texts } from '../../features/gallery/texts.en.ts';
import { UploadDialog } from '../../features/gallery/upload-dialog.tsx';
import { VerifiedDialog } from '../../features/gallery/verified-dialog.tsx';
import { useIsBusiness } from '../../layout/account.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { DIALOG_ENTRY, useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Photos of events by people who attended them (services/media/PRODUCT.md#gallery). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('gallery'));
  const isBusiness = useIsBusiness();
  const [params, setParams] = useSearchParams();
  const eventId = Number(params.get('event')) || null;
  const found = useInfiniteQuery(photosQuery(eventId));
  const rights = useQuery(rightsQuery());
  const [uploading, setUploading] = useDialogEntry('upload');
  const [verifying, setVerifying] = useDialogEntry('verified');
  const photos = found.data?.pages.flatMap(({ items }) => items);
  const mayUpload = isBusiness || (rights.data?.events.some(({ hasBegun }) => hasBegun) ?? false);
  const uploadButton = (
    <Button onClick={() => setUploading(true)} disabled={!rights.data}>
      <ImagePlus aria-hidden className="size-4" />
      {t('uploadPhoto')}
    </Button>
  );
  return (
    <Page
      title={t('gallery')}
      intro={t('lead')}
      actions={
        <div className="flex flex-wrap items-end gap-3 max-sm:w-full">
          <EventFilter
            eventId={eventId}
            onChange={(chosen) => setParams(chosen ? { event: chosen } : {}, { preventScrollReset: true })}
          />
          {isBusiness && uploadButton}
          {isBusiness && (
            <Button variant="quiet" onClick={() => setVerifying(true)} disabled={!rights.data}>
              {t('getVerified')}
            </Button>
          )}
        </div>
      }
    >
      {!isBusiness && (
        <Banner onVerify={() => setVerifying(true)} isReady={rights.data !== undefined}>
          {mayUpload && uploadButton}
        </Banner>
      )}
      <PagedList
        found={found}
        items={photos}
        what={t('photos')}
        skeleton={{ className: 'h-72', of: 'cards' }}
        empty={<EmptyState title={t('noPhotos')}>{eventId ? t('noPhotosOfEvent') : t('noPhotosAtAll')}</EmptyState>}
      >
        {(listed) => <Grid photos={listed} />}
      </PagedList>
      <OpenPhoto photos={photos ?? []} />
      <Dialogs
        rights={rights.data}
        uploading={uploading}
        verifying={verifying}
        onUpload={setUploading}
        onVerify={setVerifying}
      />
    </Page>
  );
}

interface DialogsProps {
  rights: UploadRights | undefined;
  uploading: boolean;
  verifying: boolean;
  onUpload: (open: boolean) => void;
  onVerify: (open: boolean) => void;
}

function Dialogs({ rights, uploading, verifying, onUpload, onVerify }: DialogsProps) {
  if (!rights) return null;
  return (
    <>
      {uploading && <UploadDialog rights={rights} onClose={() => onUpload(false)} onUploaded={() => onUpload(false)} />}
      {verifying && <VerifiedDialog rights={rights} onClose={() => onVerify(false)} onUpload={() => onUpload(true)} />}
    </>
  );
}

interface BannerProps {
  onVerify: () => void;
  isReady: boolean;
  children: ReactNode;
}

function Banner({ onVerify, isReady, children }: BannerProps) {
  const t = useTexts(texts);
  return (
    <section
      aria-label={t('shareYours')}
      className="flex flex-wrap items-center justify-between gap-4 rounded-lg bg-accent-soft px-5 py-4"
    >
      <div className="flex items-start gap-3">
        <Camera aria-hidden className="mt-0.5 size-6 shrink-0 text-accent-ink" />
        <div>
          <h2 className="text-title">{t('wantToShare')}</h2>
          <p className="text-ink-soft">{t('wantToShareWhy')}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        {children}
        <Button variant="secondary" onClick={onVerify} disabled={!isReady}>
          {t('getVerified')}
        </Button>
      </div>
    </section>
  );
}

function EventFilter({ eventId, onChange }: { eventId: number | null; onChange: (chosen: string) => void }) {
  const t = useTexts(texts);
  const { data: events = [] } = useQuery(photoEventsQuery());
  const isKnown = eventId === null || events.some((event) => event.eventId === eventId);
  return (
    <Field label={t('event')} className="min-w-0 max-sm:w-full sm:w-64">
      <Select value={eventId ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('allEvents')}</option>
        {!isKnown && <option value={eventId}>{t('thisEvent')}</option>}
        {events.map(({ eventId: id, title, photos }) => (
          <option key={id} value={id}>
            {t('eventWithPhotos', { title, count: String(photos) })}
          </option>
        ))}
      </Select>
    </Field>
  );
}

const ENTRY = /^#photo-([1-9]\d{0,9})$/;

function Grid({ photos }: { photos: readonly Photo[] }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <ul aria-label={t('photosLabel')} className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {photos.map((photo, at) => (
        <li key={photo.id} data-photo={photo.id} className="grid">
          <PhotoCard
            photo={photo}
            priority={at < 3}
            onOpen={() => void navigate({ pathname, search, hash: `photo-${photo.id}` }, { state: DIALOG_ENTRY })}
          />
        </li>
      ))}
    </ul>
  );
}

/** The photo that the URL names, such as `#photo-7`. A link opens it and Back closes it. */
function OpenPhoto({ photos }: { photos: readonly Photo[] }) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const id = Number(ENTRY.exec(hash)?.[1] ?? 0);
  const [, setOpen] = useDialogEntry(`photo-${id}`);
  const at = photos.findIndex((photo) => photo.id === id);
  const alone = useQuery({ ...photoQuery(id), enabled: id > 0 && at < 0 });
  const photo = photos[at] ?? alone.data;
  if (id === 0 || !photo) return null;
  const to = (next: Photo | undefined) =>
    next ? () => void navigate({ pathname, search, hash: `photo-${next.id}` }, { state, replace: true }) : null;
  return (
    <Lightbox
      photo={photo}
      place={at < 0 ? null : { at: at + 1, of: photos.length }}
      onPrevious={to(photos[at - 1])}
      onNext={at < 0 ? null : to(photos[at + 1])}
      onClose={() => setOpen(false)}
    />
  );
}
