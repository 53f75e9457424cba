import { texts } from '../../features/auth/links.texts.en.ts';
import { ResetForm } from '../../features/auth/reset-form.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useLinkToken } from '../../lib/navigation/link-token.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

/** The page of a mailed link, which can set a new password once. Opening the page changes nothing. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('choose'));
  const { token, forget } = useLinkToken('beltway.reset-password');
  return (
    <Page title={t('choose')} width="form">
      {token ? (
        <>
          <p className="text-ink-soft">{t('chooseWhy')}</p>
          <ResetForm key={token} token={token} onUsed={forget} />
        </>
      ) : (
        <>
          <p>{t('openLink')}</p>
          <ButtonLink className="justify-self-start" to="/forgot-password">
            {t('askForLink')}
          </ButtonLink>
        </>
      )}
    </Page>
  );
}
