import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

interface LaunchBannerProps {
  onLaunch: () => void;
  onContact: () => void;
}

/** Invites organizers to launch an event, and visitors with a question to contact us. */
export function LaunchBanner({ onLaunch, onContact }: LaunchBannerProps) {
  const t = useTexts(texts);
  return (
    <section
      aria-label={t('launchOrContact')}
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 rounded-lg bg-accent-soft px-4 py-2 md:px-6"
    >
      <div>
        <h2 className="text-title">{t('puttingOn')}</h2>
        <Meta className="max-md:sr-only">{t('puttingOnWhy')}</Meta>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" className="max-md:px-4" onClick={onLaunch}>
          {t('launch')}
        </Button>
        <Button variant="quiet" className="max-md:px-3" onClick={onContact}>
          {t('contactUs')}
        </Button>
      </div>
    </section>
  );
}
