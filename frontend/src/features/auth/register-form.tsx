import { RegisterBody } from '@beltway/contracts/identity';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, focusFirstError, Input } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { AccountType } from './account-type.tsx';
import { fieldErrorsOf, throttleMessage, useRegister } from './api.ts';
import { checkForm } from './form.ts';
import { Notice } from './notice.tsx';
import { StrengthMeter } from './strength-meter.tsx';

interface Values {
  name: string;
  email: string;
  password: string;
  role: 'user' | 'business';
}

export function RegisterForm() {
  const [values, setValues] = useState<Values>({ name: '', email: '', password: '', role: 'user' });
  const [errors, setErrors] = useState(checkForm.none);
  const signUp = useRegister();
  const set = (change: Partial<Values>) => {
    setValues({ ...values, ...change });
    for (const name of Object.keys(change)) setErrors((before) => ({ ...before, [name]: undefined }));
  };
  const submit = (form: HTMLFormElement) => {
    const checked = checkForm(RegisterBody, values);
    setErrors(checked.errors);
    if (!checked.body) return focusFirstError(form);
    signUp.mutate(checked.body, {
      onError: (error) => {
        setErrors(fieldErrorsOf(error));
        focusFirstError(form);
      },
    });
  };
  const throttled = throttleMessage(signUp.error);
  return (
    <form
      noValidate
      aria-label="Register"
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <Field label="Name" error={errors.name}>
        <Input
          name="name"
          autoComplete="name"
          value={values.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
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
      <Field label="Password" error={errors.password} hint={<StrengthMeter password={values.password} />}>
        <PasswordInput
          name="password"
          autoComplete="new-password"
          value={values.password}
          onChange={(event) => set({ password: event.target.value })}
        />
      </Field>
      <AccountType value={values.role} onChange={(role) => set({ role })} />
      {throttled && <Notice>{throttled}</Notice>}
      <Button type="submit" pending={signUp.isPending}>
        {signUp.isPending ? 'Creating your account...' : 'Register'}
      </Button>
    </form>
  );
}
