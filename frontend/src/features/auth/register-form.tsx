import type { RegisterBody } from '@beltway/contracts/identity/credentials';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { AccountType } from './account-type.tsx';
import { errorsOf, throttleMessage, useRegister } from './api.ts';
import { Notice } from './notice.tsx';
import { ReferralNote, useReferral } from './referral-note.tsx';
import { RegisterSchema } from './schemas.ts';
import { StrengthMeter } from './strength-meter.tsx';
import { texts } from './texts.en.ts';

const initial: RegisterBody = { name: '', email: '', password: '', role: 'user' };

export function RegisterForm() {
  const t = useTexts(texts);
  const signUp = useRegister();
  const { error } = signUp;
  const referral = useReferral();
  const { toSend: referralCode } = referral;
  const form = useFields({
    ...{ schema: RegisterSchema, initial, error, errorsOf },
    onSubmit: (body) => signUp.mutate({ ...body, ...(referralCode !== undefined && { referralCode }) }),
  });
  const throttled = throttleMessage(error);
  return (
    <form {...form.props} aria-label={t('register')} className="grid gap-5">
      <TextField {...form.bind('name')} label={t('name')} autoComplete="name" />
      <TextField {...form.bind('email')} label={t('email')} type="email" autoComplete="username" inputMode="email" />
      <TextField
        {...form.bind('password')}
        label={t('password')}
        as={PasswordInput}
        autoComplete="new-password"
        hint={<StrengthMeter password={form.values.password} />}
      />
      <AccountType {...form.bind('role')} />
      <ReferralNote referral={referral} />
      {throttled && <Notice>{throttled}</Notice>}
      <Button type="submit" pending={signUp.isPending}>
        {signUp.isPending ? t('creating') : t('register')}
      </Button>
    </form>
  );
}
