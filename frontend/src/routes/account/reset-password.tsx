import { texts } from '../../features/auth/links.texts.en.ts';
import { ResetForm } from '../../features/auth/reset-form.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useLinkToken } from '../../lib/navigation/link-token.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** Where the link of a mail leads: another password is chosen, once. A page that is only looked at changes nothing. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('choose'));
  const { token, forget } = useLinkToken('beltway.reset-password');
  return (
    <div className="page grid max-w-xl gap-5 py-8 lg:py-12">
      <h1 className="text-heading">{t('choose')}</h1>
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
    </div>
  );
}
