import { texts } from '../features/not-found/texts.en.ts';
import { useTexts } from '../lib/i18n/catalog.ts';
import { usePageTitle } from '../lib/navigation/page-title.ts';
import { SuggestedEvents } from '../lib/events/suggested-events.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Mark } from '../ui/mark.tsx';

/** The page for unknown paths. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  return (
    <div className="page py-10 md:py-16">
      <div className="grid grid-cols-1 items-center gap-8 pb-10 md:grid-cols-[1fr_auto] md:pb-14">
        <div className="grid justify-items-start gap-4">
          <p className="tabular font-display text-title font-strong text-accent-ink">{404}</p>
          <h1 className="text-display">{t('missed')}</h1>
          <p className="max-w-prose text-ink-soft">{t('why')}</p>
          <ButtonLink to="/">{t('back')}</ButtonLink>
        </div>
        <Mark className="order-first size-28 text-accent md:order-last md:size-72" />
      </div>
      <SuggestedEvents />
    </div>
  );
}
