import { useId, useState } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalogue.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { useChangePassword } from './account-api.ts';
import { texts } from './account.texts.ts';
import { LoginSchema } from './schemas.ts';
import { StrengthMeter } from './strength-meter.tsx';

export function AccountPassword() {
  const t = useTexts(texts);
  const [isChanging, setChanging] = useState(false);
  return (
    <section
      aria-labelledby="account-password-title"
      className="grid justify-items-start gap-3 rounded-lg border border-line p-5"
    >
      <h3 id="account-password-title" className="font-strong">
        {t('password')}
      </h3>
      <p className="text-ink-soft">{t('passwordWhy')}</p>
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setChanging(true)}>
        {t('changeMine')}
      </Button>
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </section>
  );
}

const { password } = LoginSchema.shape;
const Schema = z.object({ password, newPassword: password });

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const formId = useId();
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
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('changeYours')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('keepPassword')}
          </Button>
          <Button type="submit" form={formId} pending={changing.isPending}>
            {changing.isPending ? t('changing') : t('changeIt')}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} aria-label={t('changeYours')} className="grid gap-5">
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
        {form.failure && (
          <p role="alert" className="text-danger-ink">
            {explain(form.failure)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
