import { useEffect, useRef } from 'react';
import { useSetUp } from '../../features/payouts/set-up.ts';
import { texts } from '../../features/payouts/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';

/** The page to which the provider sends users of a used or expired setup link. Redirects to a fresh link. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('setup'));
  const { start, isPending } = useSetUp();
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void start();
  }, [start]);
  return (
    <div className="page grid justify-items-start gap-4 py-8 lg:py-12">
      <h1 className="text-heading">{t('setup')}</h1>
      <p className="max-w-prose text-ink-soft">{t('linkUsed')}</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void start()} pending={isPending}>
          {t('onboardingAction')}
        </Button>
        <ButtonLink to="/dashboard" variant="secondary">
          {t('dashboard')}
        </ButtonLink>
      </div>
    </div>
  );
}
