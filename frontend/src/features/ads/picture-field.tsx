import ImagePlus from 'lucide-react/icons/image-plus';
import { useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { dataUrlOf, faultText, readPicture } from '../../lib/event-form/picture-file.ts';
import { texts as pictures } from '../../lib/event-form/texts.en.ts';
import type { Bound } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { texts } from './texts.en.ts';

/** The field for the ad's picture. Reads a file from the device into the form. */
export function PictureField({ value, error, onChange }: Bound<string>) {
  const t = useTexts(texts);
  // Loads these texts, because they contain the error messages for rejected files.
  useTexts(pictures);
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setRefusal(null);
    setReading(true);
    try {
      const picture = await readPicture(chosen);
      if (typeof picture === 'string') return setRefusal(faultText(picture).text);
      onChange(await dataUrlOf(picture));
    } catch {
      setRefusal(t('notRead'));
    } finally {
      setReading(false);
    }
  };
  const wrong = refusal ?? error;
  return (
    <div role="group" aria-label={t('picture')} className="grid gap-3">
      <p className="-mb-1.5 text-note font-strong" aria-hidden>
        {t('picture')}
      </p>
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('pictureOfAd')}
        onChange={(change) => {
          void choose(change.target.files?.[0]);
          change.target.value = '';
        }}
      />
      {value && <Poster src={value} alt={t('chosenPicture')} className="aspect-2/1 max-w-md rounded-md" />}
      <Button
        variant="secondary"
        className="justify-self-start"
        pending={isReading}
        onClick={() => file.current?.click()}
      >
        {!isReading && <ImagePlus aria-hidden className="size-4" />}
        {isReading ? t('reading') : value ? t('another') : t('choose')}
      </Button>
      {wrong ? (
        <p role="alert" tabIndex={-1} className="text-note text-danger-ink">
          {wrong}
        </p>
      ) : (
        <Meta>{t('formats')}</Meta>
      )}
    </div>
  );
}
