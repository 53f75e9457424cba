import { useState } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { useChangePassword } from './account-api.ts';
import { texts } from './account.texts.en.ts';
import { LoginSchema } from './schemas.ts';
import { StrengthMeter } from './strength-meter.tsx';

export function AccountPassword() {
  const t = useTexts(texts);
  const [isChanging, setChanging] = useState(false);
  return (
    <Card ground="none" aria-labelledby="account-password-title" className="justify-items-start gap-3">
      <h3 id="account-password-title" className="font-strong">
        {t('password')}
      </h3>
      <p className="text-ink-soft">{t('passwordWhy')}</p>
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setChanging(true)}>
        {t('changeMine')}
      </Button>
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </Card>
  );
}

const { password } = LoginSchema.shape;
const Schema = z.object({ password, newPassword: password });

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const changing = useChangePassword(() => {
    onClose();
    toast({ title: t('passwordChanged'), description: t('othersOut'), at: '/account' });
  });
  const form = useFields({
    schema: Schema,
    initial: { password: '', newPassword: '' },
    onSubmit: (body) => changing.mutate(body),
    error: changing.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('changeYours')}
      action={t('changeIt')}
      acting={t('changing')}
      pending={changing.isPending}
      keep={t('keepPassword')}
      onClose={onClose}
    >
      <TextField
        {...form.bind('password')}
        label={t('presentPassword')}
        as={PasswordInput}
        autoComplete="current-password"
      />
      <TextField
        {...form.bind('newPassword')}
        label={t('newPassword')}
        as={PasswordInput}
        autoComplete="new-password"
        hint={<StrengthMeter password={form.values.newPassword} />}
      />
    </FormDialog>
  );
}
