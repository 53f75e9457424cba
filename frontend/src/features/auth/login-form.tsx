import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { CodeForm } from './code-form.tsx';
import { errorsOf, throttleMessage, useLogin } from './api.ts';
import { DemoAccounts } from './demo-accounts.tsx';
import { Notice } from './notice.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { LoginSchema } from './schemas.ts';
import { texts } from './texts.en.ts';

export function LoginForm() {
  const t = useTexts(texts);
  const signIn = useLogin();
  const { data: config } = useQuery(configQuery());
  const { error } = signIn;
  const initial = { email: '', password: '' };
  const form = useFields({ schema: LoginSchema, initial, onSubmit: (body) => signIn.mutate(body), error, errorsOf });
  const throttled = throttleMessage(error);
  const [isOver, setOver] = useState(false);
  const needed = signIn.data && 'challenge' in signIn.data ? signIn.data : undefined;
  if (needed) {
    const back = (wasOver: boolean) => {
      form.change({ password: '' });
      setOver(wasOver);
      signIn.reset();
    };
    return <CodeForm challenge={needed.challenge} onOver={() => back(true)} onBack={() => back(false)} />;
  }
  return (
    <div className="grid gap-8">
      <form {...form.props} aria-label={t('signIn')} className="grid gap-5">
        <TextField
          {...form.bind('email')}
          label={t('email')}
          type="email"
          autoComplete="username webauthn"
          inputMode="email"
        />
        <TextField
          {...form.bind('password')}
          label={t('password')}
          as={PasswordInput}
          autoComplete="current-password"
        />
        <Link to="/forgot-password" className="justify-self-start py-1 text-note underline underline-offset-4">
          {t('forgot')}
        </Link>
        {throttled && <Notice>{throttled}</Notice>}
        {isOver && !throttled && <Notice>{t('codeOver')}</Notice>}
        <Button type="submit" pending={signIn.isPending}>
          {signIn.isPending ? t('signingIn') : t('signIn')}
        </Button>
        <PasskeySignIn />
      </form>
      {config?.demo && (
        <DemoAccounts demo={config.demo} onPick={(email, password) => form.change({ email, password })} />
      )}
    </div>
  );
}
