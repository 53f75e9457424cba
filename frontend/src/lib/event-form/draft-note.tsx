import { Button } from '../../ui/button.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { texts } from './texts.en.ts';

/** Shown above a form that was filled from a draft. */
export function DraftNote({ onStartOver }: { onStartOver: () => void }) {
  const t = useTexts(texts);
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-md bg-sunken py-1 ps-4 pe-1 text-note">
      {t('draftKept')}
      <Button variant="quiet" className="px-4 text-note" onClick={onStartOver}>
        {t('startOver')}
      </Button>
    </p>
  );
}
