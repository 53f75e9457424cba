import RotateCw from 'lucide-react/icons/rotate-cw';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

interface AsOfNoticeProps {
  /** Time when the server sent these tickets, in milliseconds. */
  asOf: number;
  onRetry: () => void;
  retrying: boolean;
}

/** Shows the age of the tickets below when the server is unreachable. */
export function AsOfNotice({ asOf, onRetry, retrying }: AsOfNoticeProps) {
  const t = useTexts(texts);
  return (
    <section
      aria-label={t('howOld')}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg border border-line bg-sunken px-4 py-3"
    >
      <p role="status" className="max-w-prose text-note">
        <b className="block font-strong tabular">{t('asOf', { when: formatMoment(new Date(asOf)) })}</b>
        <span className="text-ink-soft">{t('asOfWhy')}</span>
      </p>
      <Button variant="secondary" onClick={onRetry} pending={retrying}>
        {!retrying && <RotateCw aria-hidden className="size-4" />}
        {t('retry')}
      </Button>
    </section>
  );
}
