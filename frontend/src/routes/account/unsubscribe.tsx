import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { SETTINGS_PATH, unsubscribe } from '../../features/notifications/api.ts';
import { texts } from '../../features/notifications/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';

/**
 * The page of a mailed link. Pressing the button ends mails of this kind, without signing in. Opening the page changes
 * nothing.
 */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('unsubscribe'));
  const { hash } = useLocation();
  const ending = useMutation({ mutationFn: () => unsubscribe(decodeURIComponent(hash.slice(1))) });
  return (
    <div className="page grid max-w-3xl justify-items-start gap-4 py-8 lg:py-12">
      <h1 className="text-heading">{t(ending.isSuccess ? 'unsubscribed' : 'stop')}</h1>
      {ending.isSuccess ? (
        <>
          <p role="status">{t('unsubscribedWhy')}</p>
          <ButtonLink variant="secondary" to={SETTINGS_PATH}>
            {t('settings')}
          </ButtonLink>
        </>
      ) : (
        <>
          <p>{t('stopWhy')}</p>
          <Button pending={ending.isPending} onClick={() => ending.mutate()}>
            {t(ending.isPending ? 'stopping' : 'stopThese')}
          </Button>
          <Failure of={ending.error} />
        </>
      )}
    </div>
  );
}
