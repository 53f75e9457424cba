import { ResetForm } from '../features/auth/reset-form.tsx';
import { useLinkToken } from '../lib/link-token.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';

/** Where the link of a mail leads: another password is chosen, once. A page that is only looked at changes nothing. */
export function Component() {
  usePageTitle('Choose another password');
  const { token, forget } = useLinkToken('beltway.reset-password');
  return (
    <div className="page grid max-w-xl gap-5 py-8 lg:py-12">
      <h1 className="text-heading">Choose another password</h1>
      {token ? (
        <>
          <p className="text-ink-soft">You are then signed out on all devices, and sign in with the new one.</p>
          <ResetForm key={token} token={token} onUsed={forget} />
        </>
      ) : (
        <>
          <p>Open the link in the mail that we sent you. A link is good for 30 minutes and works once.</p>
          <ButtonLink className="justify-self-start" to="/forgot-password">
            Ask for a link
          </ButtonLink>
        </>
      )}
    </div>
  );
}
