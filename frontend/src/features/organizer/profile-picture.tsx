import { useMutation } from '@tanstack/react-query';
import ImagePlus from 'lucide-react/icons/image-plus';
import Trash2 from 'lucide-react/icons/trash';
import { useId, useRef } from 'react';
import { faultText, readPicture } from '../../lib/event-form/picture-file.ts';
import { texts as pictures } from '../../lib/event-form/texts.en.ts';
import type { Bound } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Poster } from '../../ui/poster.tsx';
import { storePicture } from './profile-api.ts';
import { texts } from './profile.texts.en.ts';

interface ProfilePictureProps extends Bound<string> {
  label: string;
  /** The shape of the preview. */
  className: string;
  onBusy: (isBusy: boolean) => void;
}

/** Chooses a picture from the device and uploads it immediately. */
export function ProfilePicture({ label, value, error, className, onChange, onBusy }: ProfilePictureProps) {
  const t = useTexts(texts);
  // Loads the texts for the errors about refused files.
  useTexts(pictures);
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const store = useMutation({
    mutationFn: async (chosen: File) => {
      const picture = await readPicture(chosen);
      if (typeof picture === 'string') throw new Error(faultText(picture).text);
      return storePicture(picture);
    },
    onMutate: () => onBusy(true),
    onSuccess: ({ url }) => onChange(url),
    onSettled: () => onBusy(false),
  });
  const wrong = store.error ? explain(store.error) : error;
  return (
    <div role="group" aria-labelledby={id} data-field className="grid gap-2">
      <p id={id} className="text-note font-strong">
        {label}
      </p>
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('fileOf', { what: label })}
        onChange={(change) => {
          const chosen = change.target.files?.[0];
          if (chosen) store.mutate(chosen);
          change.target.value = '';
        }}
      />
      {value && <Poster src={value} alt={t('preview')} className={className} sizes="30rem" />}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" pending={store.isPending} onClick={() => file.current?.click()}>
          {!store.isPending && <ImagePlus aria-hidden className="size-4" />}
          {store.isPending ? t('uploading') : value ? t('anotherPhoto') : t('addPhoto')}
        </Button>
        {value && !store.isPending && (
          <Button variant="quiet" onClick={() => onChange('')}>
            <Trash2 aria-hidden className="size-4" />
            {t('removePhoto')}
          </Button>
        )}
      </div>
      {wrong && (
        <p role="alert" tabIndex={-1} className="text-note text-danger-ink">
          {wrong}
        </p>
      )}
    </div>
  );
}
