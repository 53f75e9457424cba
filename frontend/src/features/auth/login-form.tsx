import { LoginBody } from '@beltway/contracts/identity';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { configQuery } from '../../lib/public-config.ts';
import { Button } from '../../ui/button.tsx';
import { Field, focusFirstError, Input } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { fieldErrorsOf, throttleMessage, useLogin } from './api.ts';
import { DemoAccounts } from './demo-accounts.tsx';
import { checkForm } from './form.ts';
import { Notice } from './notice.tsx';

export function LoginForm() {
  const [values, setValues] = useState({ email: '', password: '' });
  const [errors, setErrors] = useState(checkForm.none);
  const signIn = useLogin();
  const { data: config } = useQuery(configQuery());
  const set = (change: Partial<typeof values>) => {
    setValues({ ...values, ...change });
    for (const name of Object.keys(change)) setErrors((before) => ({ ...before, [name]: undefined }));
  };
  const submit = (form: HTMLFormElement) => {
    const checked = checkForm(LoginBody, values);
    setErrors(checked.errors);
    if (!checked.body) return focusFirstError(form);
    signIn.mutate(checked.body, {
      onError: (error) => {
        setErrors(fieldErrorsOf(error));
        focusFirstError(form);
      },
    });
  };
  const throttled = throttleMessage(signIn.error);
  return (
    <div className="grid gap-8">
      <form
        noValidate
        aria-label="Sign in"
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <Field label="Email" error={errors.email}>
          <Input
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            value={values.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        </Field>
        <Field label="Password" error={errors.password}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            value={values.password}
            onChange={(event) => set({ password: event.target.value })}
          />
        </Field>
        {throttled && <Notice>{throttled}</Notice>}
        <Button type="submit" pending={signIn.isPending}>
          {signIn.isPending ? 'Signing in...' : 'Sign in'}
        </Button>
      </form>
      {config?.demo && <DemoAccounts demo={config.demo} onPick={(email, password) => set({ email, password })} />}
    </div>
  );
}
