import { useVerifyEmail } from '../features/auth/account-api.ts';
import { explain } from '../lib/http.ts';
import { useLinkToken } from '../lib/link-token.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';

/**
 * Where the link of a mail leads: who is signed in to the account confirms the address by a press. A page that is only looked at confirms
 * nothing, for mail programs look at links.
 */
export function Component() {
  usePageTitle('Confirm your email address');
  const { user } = useSession();
  const { token, forget } = useLinkToken('beltway.verify-email');
  const verifying = useVerifyEmail(forget);
  const { data: verified, error } = verifying;
  return (
    <div className="page grid max-w-xl justify-items-start gap-5 py-8 lg:py-12">
      <h1 className="text-heading">{verified ? 'Your address is confirmed' : 'Confirm your email address'}</h1>
      {verified ? (
        <>
          <p role="status">
            From now on <bdi className="font-strong break-words">{verified.email}</bdi> is the address of your account.
            Tickets that you bought with it as a guest are in My Tickets in a moment.
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/my-tickets">My Tickets</ButtonLink>
            <ButtonLink variant="secondary" to="/account">
              Account
            </ButtonLink>
          </div>
        </>
      ) : !token ? (
        <>
          <p>Open the link in the mail that we sent you. You can have it sent again at your account.</p>
          <ButtonLink to="/account">Account</ButtonLink>
        </>
      ) : !user ? (
        <>
          <p>Sign in to the account that the mail is about, and come back here. So nobody else gets your tickets.</p>
          <ButtonLink to={signInPath('/verify-email')}>Sign in</ButtonLink>
        </>
      ) : (
        <>
          <p>
            You are signed in as <bdi className="font-strong break-words">{user.name}</bdi>. Did you open this account?
            Then confirm that the mail reached you.
          </p>
          <Button pending={verifying.isPending} onClick={() => verifying.mutate(token)}>
            {verifying.isPending ? 'Confirming…' : 'Confirm my address'}
          </Button>
          {error && (
            <p role="alert" className="text-danger-ink">
              {explain(error)}
            </p>
          )}
        </>
      )}
    </div>
  );
}
