import KeyRound from 'lucide-react/icons/key-round';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { throttleMessage } from './api.ts';
import { Notice } from './notice.tsx';
import { canPasskeys, explainPasskey, useLoginByPasskey, usePasskeysInList } from './passkeys-api.ts';
import { texts } from './texts.en.ts';

/** Signs in with a passkey; hidden if the browser does not support passkeys. */
export function PasskeySignIn() {
  const t = useTexts(texts);
  const signIn = useLoginByPasskey();
  usePasskeysInList(signIn);
  if (!canPasskeys()) return null;
  const throttled = throttleMessage(signIn.error);
  return (
    <div className="grid gap-3">
      <Button variant="secondary" pending={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        {!signIn.isPending && <KeyRound aria-hidden className="size-4" />}
        {signIn.isPending ? t('passkeyWaiting') : t('passkeySignIn')}
      </Button>
      {throttled ? (
        <Notice>{throttled}</Notice>
      ) : (
        signIn.isError && (
          <p role="alert" className="text-danger-ink">
            {explainPasskey(signIn.error)}
          </p>
        )
      )}
    </div>
  );
}
