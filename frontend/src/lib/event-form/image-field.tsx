import ImagePlus from 'lucide-react/icons/image-plus';
import Trash2 from 'lucide-react/icons/trash';
import { useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Poster } from '../../ui/poster.tsx';
import { toast } from '../../ui/toast.ts';
import { useTexts } from '../i18n/catalog.ts';
import { dataUrlOf, faultText, readPicture } from './picture-file.ts';
import { texts } from './texts.en.ts';

interface ImageFieldProps {
  /** A data URL from the device, a path on our server, or an external URL; empty for none. */
  value: string;
  error?: string | undefined;
  /** A note about the photo, for example that it must be chosen again. */
  note?: string | undefined;
  onChange: (imageUrl: string) => void;
}

const isOurs = (value: string): boolean => /^(data:|\/media\/)/.test(value);

/**
 * Whether a picture can be shown. A partly typed URL is not shown, because each character would request a missing file.
 */
export const isShownPicture = (value: string): boolean =>
  isOurs(value) || (/^https:\/\/[^/]+\.[^/]+\/./.test(value) && URL.canParse(value));

/**
 * A picture from the device (read into the form, at most 5 MB) or by URL. Without a picture, the event gets a poster.
 */
export function ImageField({ value, error, note, onChange }: ImageFieldProps) {
  const t = useTexts(texts);
  const [uploading, setUploading] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const id = useId();

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' });
    setUploading(true);
    try {
      const picture = await readPicture(chosen);
      if (typeof picture === 'string') {
        const { title, text } = faultText(picture);
        return refuse(title, text);
      }
      onChange(await dataUrlOf(picture));
      toast({ title: t('imageUploaded'), description: t('imageUploadedWhy') });
    } catch {
      refuse(t('uploadFailed'), t('uploadFailedWhy'));
    } finally {
      setUploading(false);
    }
  };

  // The URL input does not show stored pictures, because they were not typed there.
  const isStored = isOurs(value);
  return (
    <div role="group" aria-labelledby={id} className="grid gap-3">
      <p id={id} className="-mb-1.5 text-note font-strong">
        {t('picture')}
      </p>
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('photo')}
        onChange={(change) => {
          void choose(change.target.files?.[0]);
          change.target.value = '';
        }}
      />
      {isShownPicture(value) && <Poster src={value} alt={t('preview')} className="aspect-[16/10] rounded-md" />}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" pending={uploading} onClick={() => file.current?.click()}>
          {!uploading && <ImagePlus aria-hidden className="size-4" />}
          {uploading ? t('uploading') : value ? t('anotherPhoto') : t('uploadPhoto')}
        </Button>
        {value && (
          <Button variant="quiet" onClick={() => onChange('')}>
            <Trash2 aria-hidden className="size-4" />
            {t('removePhoto')}
          </Button>
        )}
      </div>
      {!isStored && (
        <Field label={t('photoLink')} optional error={error} hint={t('photoLinkHint')}>
          <Input
            type="url"
            inputMode="url"
            placeholder={t('photoLinkExample')}
            value={value}
            onChange={(change) => onChange(change.target.value)}
          />
        </Field>
      )}
      {isStored && error && (
        <p role="alert" tabIndex={-1} className="text-note text-danger-ink">
          {error}
        </p>
      )}
      {note && <p className="text-note text-warning-ink">{note}</p>}
    </div>
  );
}
