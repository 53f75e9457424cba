import { TurnOffTotpBody } from '@beltway/contracts/identity/totp';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { throttleMessage, useLoginByCode } from './api.ts';
import { Notice } from './notice.tsx';
import { texts } from './texts.en.ts';

/** The second step of signing in: a code from the app, or a recovery code. */
export function CodeForm({ challenge, onOver, onBack }: { challenge: string; onOver: () => void; onBack: () => void }) {
  const t = useTexts(texts);
  const [isRecovery, setRecovery] = useState(false);
  const signIn = useLoginByCode(onOver);
  const form = useFields({
    schema: TurnOffTotpBody,
    initial: { code: '' },
    onSubmit: ({ code }) => signIn.mutate({ challenge, code }),
    error: signIn.error,
  });
  const throttled = throttleMessage(signIn.error);
  const field = useRef<HTMLFormElement>(null);
  // Focuses the field at first, because the password form that had the focus was removed, and again when the kind of
  // code changes.
  useEffect(() => field.current?.querySelector('input')?.focus(), [isRecovery]);
  return (
    <form {...form.props} ref={field} aria-label={t('codeStep')} className="grid gap-5">
      <TextField
        {...form.bind('code')}
        label={isRecovery ? t('recoveryCode') : t('code')}
        hint={isRecovery ? t('recoveryWhy') : t('codeWhy')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="characters"
        spellCheck={false}
      />
      {throttled && <Notice>{throttled}</Notice>}
      <Button type="submit" pending={signIn.isPending}>
        {signIn.isPending ? t('signingIn') : t('signIn')}
      </Button>
      <div className="-mx-2 flex flex-wrap gap-x-4 gap-y-2">
        <Button
          variant="quiet"
          className="px-2!"
          onClick={() => {
            form.change({ code: '' });
            setRecovery(!isRecovery);
          }}
        >
          {isRecovery ? t('useApp') : t('useRecoveryCode')}
        </Button>
        <Button variant="quiet" className="px-2!" onClick={onBack}>
          {t('otherAccount')}
        </Button>
      </div>
    </form>
  );
}
