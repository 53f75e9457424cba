import type { Photo, UploadRights } from '@beltway/contracts/media/gallery';
import { MAX_PHOTO_BYTES, MAX_PHOTO_DESCRIPTION, MAX_PHOTO_TITLE } from '@beltway/contracts/media/gallery-texts';
import { fault } from '@beltway/contracts/problems/fault';
import { useQuery } from '@tanstack/react-query';
import ImagePlus from 'lucide-react/icons/image-plus';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { faultText, readPicture, type PictureFault } from '../../lib/event-form/picture-file.ts';
import { texts as pictures } from '../../lib/event-form/texts.en.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { explain, isSignedOut } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { toast } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { pickerQuery, uploadPhoto, useRefreshGallery } from './api.ts';
import { texts } from './texts.en.ts';

type Chosen = File | null;
const Schema = z.object({
  title: z.string().trim().min(1, fault('invalid.photo-title')),
  eventId: z.string().min(1, fault('invalid.photo-event')),
  image: z.custom<Chosen>().refine((file) => file !== null, fault('invalid.photo-missing')),
  description: z.string(),
});
/** In order of priority, because the toast shows only the first error. */
const TITLES = { title: 'titleMissing', eventId: 'eventMissing', image: 'imageMissing' } as const;

/** The error for a file that cannot be a photo (services/media/PRODUCT.md#gallery). */
function textOf(fault: PictureFault) {
  const t = textsNow(texts);
  return fault === 'size' ? { title: t('tooLarge'), text: t('tooLargeWhy') } : faultText(fault);
}

const isCancel = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
const complain = ({ title, text }: { title: string; text: string }) =>
  toast({ title, description: text, variant: 'destructive' });

interface UploadDialogProps {
  rights: UploadRights;
  onClose: () => void;
  onUploaded: (photo: Photo) => void;
}

/** Uploads a photo of an event: picture with preview, text, progress; can be canceled during the upload. */
export function UploadDialog({ rights, onClose, onUploaded }: UploadDialogProps) {
  const t = useTexts(texts);
  const refresh = useRefreshGallery();
  const [share, setShare] = useState(0);
  const [progress, setProgress] = useState<AbortController | null>(null);
  // Leaving by the browser's Back cancels an upload, like closing the dialog.
  useEffect(() => () => progress?.abort(), [progress]);
  // The idempotency key. A retry after an error sends the same key; a changed form gets a new key.
  const key = useRef('');
  const upload = useAction({
    mutationFn: async (form: FormData) => {
      const controller = new AbortController();
      setShare(0);
      setProgress(controller);
      key.current ||= crypto.randomUUID();
      return uploadPhoto(form, { key: key.current, signal: controller.signal, onProgress: setShare });
    },
    onSettled: () => setProgress(null),
    done: (photo) => ({
      title: t('uploaded'),
      description: photo.isVerified ? t('inGallery') : t('isPending'),
      at: window.location.pathname,
    }),
    onSuccess: (photo) => {
      onUploaded(photo);
      return refresh();
    },
    failed: (error) => (isCancel(error) ? null : { title: t('uploadFailed'), description: t('uploadFailedWhy') }),
  });
  const isCanceled = isCancel(upload.error);
  const form = useFields({
    schema: Schema,
    initial: { title: '', eventId: '', image: null as Chosen, description: '' },
    onChange: () => (key.current = ''),
    onRefused: (messages) => {
      const first = (['title', 'eventId', 'image'] as const).find((name) => messages[name]);
      if (first) complain({ title: t(TITLES[first]), text: messages[first]! });
    },
    onSubmit: ({ title, eventId, image, description }) => {
      const body = new FormData();
      // The text fields come first, so that the server can reject them before it reads the picture.
      body.set('title', title);
      body.set('description', description);
      body.set('eventId', eventId);
      body.set('image', image!);
      upload.mutate(body);
    },
    error: isCanceled ? null : upload.error,
  });
  const close = () => {
    progress?.abort();
    onClose();
  };
  const isSending = progress !== null;
  const percent = Math.round(share * 100);
  return (
    <FormDialog
      form={form}
      title={t('uploadPhoto')}
      description={t('uploadWhy')}
      action={t('uploadPhoto')}
      acting={percent < 100 ? t('uploading', { percent: `${percent}%` }) : t('preparing')}
      pending={isSending}
      keep={isSending ? t('cancelUpload') : t('cancel')}
      onKeep={() => (isSending ? progress.abort() : close())}
      failure={!isSending && (isSignedOut(form.failure) ? t('signInAgain') : form.failure)}
      onClose={close}
    >
      <PhotoField {...form.bind('image')} isDisabled={isSending} />
      <TextField
        {...form.bind('title')}
        label={t('title')}
        maxLength={MAX_PHOTO_TITLE}
        disabled={isSending}
        autoComplete="off"
      />
      <EventField {...form.bind('eventId')} rights={rights} isDisabled={isSending} />
      <TextField
        {...form.bind('description')}
        label={t('description')}
        as={Textarea}
        rows={3}
        maxLength={MAX_PHOTO_DESCRIPTION}
        disabled={isSending}
        optional
      />
      {isSending && (
        <progress
          value={share}
          aria-label={t('sentSoFar')}
          className="h-2 w-full overflow-hidden rounded-full accent-accent"
        />
      )}
      {isCanceled && !isSending && <p role="status">{t('canceled')}</p>}
    </FormDialog>
  );
}

interface PhotoFieldProps {
  value: Chosen;
  error: string | undefined;
  isDisabled: boolean;
  onChange: (file: Chosen) => void;
}

function PhotoField({ value, error, isDisabled, onChange }: PhotoFieldProps) {
  const t = useTexts(texts);
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  // Loads these texts, because they contain the error messages for rejected files.
  useTexts(pictures);
  useEffect(() => {
    if (!value) return setPreview(null);
    const url = URL.createObjectURL(value);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [value]);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    const read = await readPicture(file, MAX_PHOTO_BYTES).finally(() => setReading(false));
    const fault = typeof read === 'string' ? textOf(read) : null;
    setRefused(fault && fault.text);
    if (fault) complain(fault);
    onChange(typeof read === 'string' ? null : read);
  };
  const wrong = refused ?? error;
  return (
    <div role="group" aria-label={t('photo')} className="grid gap-3">
      <input
        ref={input}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('photoFile')}
        onChange={({ target }) => {
          void choose(target.files?.[0]);
          target.value = '';
        }}
      />
      {preview && (
        <img src={preview} alt={t('preview')} className="max-h-64 w-full rounded-md bg-sunken object-contain" />
      )}
      <Button
        variant="secondary"
        className="justify-self-start"
        disabled={isDisabled}
        pending={isReading}
        aria-describedby="photo-note"
        onClick={() => input.current?.click()}
      >
        {!isReading && <ImagePlus aria-hidden className="size-4" />}
        {value ? t('chooseAnother') : t('choose')}
      </Button>
      {wrong ? (
        <p id="photo-note" role="alert" tabIndex={-1} className="text-note text-danger-ink">
          {wrong}
        </p>
      ) : (
        <Meta id="photo-note">{t('formats')}</Meta>
      )}
    </div>
  );
}

interface EventFieldProps {
  value: string;
  error: string | undefined;
  rights: UploadRights;
  isDisabled: boolean;
  onChange: (eventId: string) => void;
}

/**
 * The choice of the photo's event: any event for a business, otherwise the events for which the account is verified.
 */
function EventField({ value, error, rights, isDisabled, onChange }: EventFieldProps) {
  const t = useTexts(texts);
  const found = useQuery(pickerQuery());
  const verifiedFor = new Set(rights.events.filter(({ hasBegun }) => hasBegun).map(({ eventId }) => eventId));
  const events = found.data?.filter(({ id }) => rights.mayUploadForAll || verifiedFor.has(id));
  return (
    <Field
      label={t('event')}
      error={error}
      hint={
        found.error ? (
          <span className="flex flex-wrap items-center gap-3">
            {explain(found.error)}
            <Button variant="quiet" onClick={() => void found.refetch()}>
              {t('retry')}
            </Button>
          </span>
        ) : undefined
      }
    >
      <Select value={value} disabled={isDisabled || !events} onChange={({ target }) => onChange(target.value)}>
        <option value="">{found.isPending ? t('loadingEvents') : t('selectEvent')}</option>
        {events?.map(({ id, title, eventDate }) => (
          <option key={id} value={String(id)}>
            {t('eventOfDay', { title, day: formatDate(eventDate) })}
          </option>
        ))}
      </Select>
    </Field>
  );
}
