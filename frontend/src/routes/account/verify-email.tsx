import { useVerifyEmail } from '../../features/auth/account-api.ts';
import { texts } from '../../features/auth/links.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useLinkToken } from '../../lib/navigation/link-token.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';

/**
 * The page of a mailed link. Pressing the button confirms the email address, if the user is signed in to the account.
 * Opening the page confirms nothing, because mail programs prefetch links.
 */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('confirm'));
  const { user } = useSession();
  const { token, forget } = useLinkToken('beltway.verify-email');
  const verifying = useVerifyEmail(forget);
  const { data: verified, error } = verifying;
  return (
    <div className="page grid max-w-xl justify-items-start gap-5 py-8 lg:py-12">
      <h1 className="text-heading">{t(verified ? 'confirmed' : 'confirm')}</h1>
      {verified ? (
        <>
          <p role="status">
            {t.rich('fromNow', { email: () => <bdi className="font-strong wrap-anywhere">{verified.email}</bdi> })}
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/my-tickets">{t('myTickets')}</ButtonLink>
            <ButtonLink variant="secondary" to="/account">
              {t('account')}
            </ButtonLink>
          </div>
        </>
      ) : !token ? (
        <>
          <p>{t('openVerifyLink')}</p>
          <ButtonLink to="/account">{t('account')}</ButtonLink>
        </>
      ) : !user ? (
        <>
          <p>{t('signInFirst')}</p>
          <ButtonLink to={signInPath('/verify-email')}>{t('signIn')}</ButtonLink>
        </>
      ) : (
        <>
          <p>{t.rich('signedInAs', { name: () => <bdi className="font-strong wrap-anywhere">{user.name}</bdi> })}</p>
          <Button pending={verifying.isPending} onClick={() => verifying.mutate(token)}>
            {t(verifying.isPending ? 'confirming' : 'confirmMine')}
          </Button>
          <Failure of={error} />
        </>
      )}
    </div>
  );
}
