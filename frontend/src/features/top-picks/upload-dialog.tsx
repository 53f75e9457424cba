import type { MyTopPicks } from '@beltway/contracts/media/top-picks';
import {
  MAX_THUMBNAIL_BYTES,
  MAX_VIDEO_BYTES,
  MAX_VIDEO_DESCRIPTION,
  MAX_VIDEO_TITLE,
  VIDEO_CATEGORIES,
  type VideoCategory,
} from '@beltway/contracts/media/top-picks-texts';
import { fault } from '@beltway/contracts/problems/fault';
import Film from 'lucide-react/icons/film';
import ImagePlus from 'lucide-react/icons/image-plus';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { faultText, readPicture } from '../../lib/event-form/picture-file.ts';
import { texts as pictures } from '../../lib/event-form/texts.en.ts';
import { isSignedOut } from '../../lib/http/http.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { toast } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { uploadVideo, useRefreshTopPicks } from './api.ts';
import { texts as videoTexts } from './texts.en.ts';
import { texts } from './upload.texts.en.ts';

type Chosen = File | null;
interface Fault {
  title: string;
  text: string;
}
const Schema = z.object({
  title: z.string().trim().min(1, fault('invalid.video-missing')),
  video: z.custom<Chosen>().refine((file) => file !== null, fault('invalid.video-missing')),
  description: z.string(),
  category: z.enum(VIDEO_CATEGORIES),
  thumbnail: z.custom<Chosen>(),
  eventId: z.string(),
});

/** Returns why a file is refused, or null. Checked before the upload (services/media/PRODUCT.md#top-picks). */
function refusalOfVideo({ type, size }: File): Fault | null {
  const t = textsNow(texts);
  if (!type.startsWith('video/')) return { title: t('wrongType'), text: t('notVideo') };
  return size > MAX_VIDEO_BYTES ? { title: t('tooLarge'), text: t('tooLargeWhy') } : null;
}
const readVideo = async (file: File): Promise<File | Fault> => refusalOfVideo(file) ?? file;
async function readThumbnail(file: File): Promise<File | Fault> {
  const read = await readPicture(file, MAX_THUMBNAIL_BYTES);
  return typeof read === 'string' ? faultText(read) : read;
}

const complain = ({ title, text }: Fault) => toast({ title, description: text, variant: 'destructive' });
const isCancel = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

interface UploadDialogProps {
  /** Events whose promoted clip the video may be. */
  clips: MyTopPicks['clips'];
  onClose: () => void;
}

/** Uploads a video with its texts. Shows the progress and can be canceled during the upload. */
export function UploadDialog({ clips, onClose }: UploadDialogProps) {
  const t = useTexts(texts);
  const categories = useTexts(videoTexts);
  const refresh = useRefreshTopPicks();
  const [share, setShare] = useState(0);
  const [progress, setProgress] = useState<AbortController | null>(null);
  // Leaving by the browser's Back cancels an upload, like closing the dialog.
  useEffect(() => () => progress?.abort(), [progress]);
  const [isReading, setReading] = useState(false);
  // Loads the texts for the errors about refused files.
  useTexts(pictures);
  // Idempotency key: a retry after a fault stores the same video, and a changed form stores a new video.
  const key = useRef('');
  const upload = useAction({
    mutationFn: async (form: FormData) => {
      const controller = new AbortController();
      setShare(0);
      setProgress(controller);
      key.current ||= crypto.randomUUID();
      return uploadVideo(form, { key: key.current, signal: controller.signal, onProgress: setShare });
    },
    onSettled: () => setProgress(null),
    done: () => ({
      title: t('uploaded'),
      description: t('uploadedWhy'),
      at: window.location.pathname,
    }),
    onSuccess: () => {
      onClose();
      return refresh();
    },
    failed: (error) => (isCancel(error) ? null : { title: t('uploadFailed'), description: t('uploadFailedWhy') }),
  });
  const isCanceled = isCancel(upload.error);
  const form = useFields({
    schema: Schema,
    initial: {
      ...{ title: '', video: null as Chosen, description: '', category: 'event' as VideoCategory },
      ...{ thumbnail: null as Chosen, eventId: '' },
    },
    onChange: () => (key.current = ''),
    onRefused: ({ title, video }) => {
      if (title || video) complain({ title: t('missing'), text: title ?? video ?? '' });
    },
    onSubmit: ({ title, video, description, category, thumbnail, eventId }) => {
      const body = new FormData();
      body.set('title', title);
      body.set('description', description);
      body.set('category', category);
      if (eventId) body.set('eventId', eventId);
      if (thumbnail) body.set('thumbnail', thumbnail);
      body.set('video', video!);
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
      title={t('uploadVideo')}
      description={t('uploadWhy')}
      action={t('uploadVideo')}
      acting={
        !isSending ? t('uploadVideo') : percent < 100 ? t('uploading', { percent: `${percent}%` }) : t('preparing')
      }
      pending={isSending || isReading}
      keep={isSending ? t('cancelUpload') : t('cancel')}
      onKeep={() => (isSending ? progress.abort() : close())}
      failure={!isSending && (isSignedOut(form.failure) ? t('signInAgain') : form.failure)}
      onClose={close}
    >
      <FileField
        {...form.bind('video')}
        label={t('video')}
        fileLabel={t('videoFile')}
        choose={t('chooseVideo')}
        another={t('anotherVideo')}
        accept="video/*"
        icon={<Film aria-hidden className="size-4" />}
        hint={t('videoHint')}
        read={readVideo}
        isDisabled={isSending}
      />
      <TextField
        {...form.bind('title')}
        label={t('title')}
        maxLength={MAX_VIDEO_TITLE}
        disabled={isSending}
        autoComplete="off"
      />
      <Choice {...form.bind('category')} label={t('category')} isDisabled={isSending}>
        {VIDEO_CATEGORIES.map((category) => (
          <option key={category} value={category}>
            {categories(category)}
          </option>
        ))}
      </Choice>
      {clips.length > 0 && (
        <Choice {...form.bind('eventId')} label={t('promote')} isDisabled={isSending}>
          <option value="">{t('none')}</option>
          {clips.map(({ eventId, title, until }) => (
            <option key={eventId} value={String(eventId)}>
              {t('until', { title, day: formatDate(until) })}
            </option>
          ))}
        </Choice>
      )}
      <TextField
        {...form.bind('description')}
        label={t('description')}
        as={Textarea}
        rows={3}
        maxLength={MAX_VIDEO_DESCRIPTION}
        disabled={isSending}
        optional
      />
      <FileField
        {...form.bind('thumbnail')}
        label={t('thumbnail')}
        fileLabel={t('thumbnailFile')}
        choose={t('chooseThumbnail')}
        another={t('anotherThumbnail')}
        accept="image/*"
        icon={<ImagePlus aria-hidden className="size-4" />}
        hint={t('thumbnailHint')}
        read={readThumbnail}
        isDisabled={isSending}
        onBusy={setReading}
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

interface ChoiceProps {
  label: string;
  value: string;
  error: string | undefined;
  isDisabled: boolean;
  onChange: (value: never) => void;
  children: ReactNode;
}

const Choice = ({ label, value, error, isDisabled, onChange, children }: ChoiceProps) => (
  <Field label={label} error={error}>
    <Select value={value} disabled={isDisabled} onChange={({ target }) => onChange(target.value as never)}>
      {children}
    </Select>
  </Field>
);

interface FileFieldProps {
  label: string;
  /** The accessible name of the hidden file input. */
  fileLabel: string;
  /** The button's label for the first file. `another` is the label for a replacement. */
  choose: string;
  another: string;
  accept: string;
  icon: ReactNode;
  hint: string;
  value: Chosen;
  error: string | undefined;
  read: (file: File) => Promise<File | Fault>;
  isDisabled: boolean;
  /** Called with true when reading a file starts, and with false when it ends. */
  onBusy?: (isBusy: boolean) => void;
  onChange: (file: Chosen) => void;
}

function FileField(props: FileFieldProps) {
  const { label, accept, icon, hint, value, error, read, isDisabled, onBusy, onChange } = props;
  const note = useId();
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    onBusy?.(true);
    const taken = await read(file).finally(() => onBusy?.(false));
    const fault = taken instanceof File ? null : taken;
    setRefused(fault && fault.text);
    if (fault) complain(fault);
    onChange(taken instanceof File ? taken : null);
  };
  const wrong = refused ?? error;
  return (
    <div role="group" aria-label={label} className="grid gap-2">
      <input
        ref={input}
        type="file"
        accept={accept}
        className="sr-only"
        tabIndex={-1}
        aria-label={props.fileLabel}
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = '';
        }}
      />
      <Button
        variant="secondary"
        className="justify-self-start"
        disabled={isDisabled}
        aria-describedby={note}
        onClick={() => input.current?.click()}
      >
        {icon}
        {value ? props.another : props.choose}
      </Button>
      {value && <p className="text-note break-all">{value.name}</p>}
      {wrong ? (
        <p id={note} role="alert" tabIndex={-1} className="text-note text-danger-ink">
          {wrong}
        </p>
      ) : (
        <Meta id={note}>{hint}</Meta>
      )}
    </div>
  );
}
