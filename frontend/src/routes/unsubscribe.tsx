import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { unsubscribe } from '../features/notifications/api.ts';
import { explain } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';

/** Where the link of a mail leads: mails of its kind are ended by a press, without signing in. A page that is only looked at ends nothing. */
export function Component() {
  usePageTitle('Unsubscribe');
  const { hash } = useLocation();
  const ending = useMutation({ mutationFn: () => unsubscribe(decodeURIComponent(hash.slice(1))) });
  return (
    <div className="page grid max-w-3xl justify-items-start gap-4 py-8 lg:py-12">
      <h1 className="text-heading">{ending.isSuccess ? 'You are unsubscribed' : 'Stop these mails?'}</h1>
      {ending.isSuccess ? (
        <>
          <p role="status">We no longer write to you about this. The bell still tells you on the page.</p>
          <ButtonLink variant="secondary" to="/account#notifications">
            All your choices
          </ButtonLink>
        </>
      ) : (
        <>
          <p>You get no more mails of the kind that this link came with. Mails about your own tickets still come.</p>
          <Button pending={ending.isPending} onClick={() => ending.mutate()}>
            {ending.isPending ? 'Stopping…' : 'Stop these mails'}
          </Button>
          {ending.isError && (
            <p role="alert" className="text-danger-ink">
              {explain(ending.error)}
            </p>
          )}
        </>
      )}
    </div>
  );
}
