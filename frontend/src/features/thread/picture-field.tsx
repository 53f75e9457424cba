import { useMutation } from '@tanstack/react-query';
import ImagePlus from 'lucide-react/icons/image-plus';
import Trash2 from 'lucide-react/icons/trash';
import { useId, useRef } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { faultText, readPicture } from '../../lib/event-form/picture-file.ts';
import { texts as pictures } from '../../lib/event-form/texts.en.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Poster } from '../../ui/poster.tsx';
import { storePicture } from './posts-api.ts';
import { texts } from './texts.en.ts';

interface PictureFieldProps {
  /** The URL of the stored picture; empty for none. */
  value: string;
  error: string | undefined;
  onChange: (imageUrl: string) => void;
  onBusy: (isBusy: boolean) => void;
}

/** Chooses a picture from the device and uploads it immediately. */
export function PictureField({ value, error, onChange, onBusy }: PictureFieldProps) {
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
      <p id={id} className="flex items-baseline justify-between gap-3 text-note font-strong">
        {t('picture')} <span className="font-regular text-ink-soft">{t('optional')}</span>
      </p>
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('pictureFile')}
        onChange={(change) => {
          const chosen = change.target.files?.[0];
          if (chosen) store.mutate(chosen);
          change.target.value = '';
        }}
      />
      {value && <Poster src={value} alt={t('preview')} className="aspect-4/3 rounded-md" sizes="30rem" />}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" pending={store.isPending} onClick={() => file.current?.click()}>
          {!store.isPending && <ImagePlus aria-hidden className="size-4" />}
          {store.isPending ? t('uploading') : value ? t('anotherPicture') : t('addPicture')}
        </Button>
        {value && !store.isPending && (
          <Button variant="quiet" onClick={() => onChange('')}>
            <Trash2 aria-hidden className="size-4" />
            {t('removePicture')}
          </Button>
        )}
      </div>
      {wrong ? (
        <p role="alert" tabIndex={-1} className="text-note text-danger-ink">
          {wrong}
        </p>
      ) : (
        <p className="text-note text-ink-soft">{t('pictureSize')}</p>
      )}
    </div>
  );
}
