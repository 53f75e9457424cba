import { useId, useState } from 'react';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { useChangePassword } from './account-api.ts';
import { LoginSchema } from './schemas.ts';
import { StrengthMeter } from './strength-meter.tsx';

export function AccountPassword() {
  const [isChanging, setChanging] = useState(false);
  return (
    <section
      aria-labelledby="account-password-title"
      className="grid justify-items-start gap-3 rounded-lg border border-line p-5"
    >
      <h3 id="account-password-title" className="font-strong">
        Password
      </h3>
      <p className="text-ink-soft">Another password signs you out on all other devices.</p>
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setChanging(true)}>
        Change my password
      </Button>
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </section>
  );
}

const { password } = LoginSchema.shape;
const Schema = z.object({ password, newPassword: password });

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const changing = useChangePassword(() => {
    onClose();
    toast({ title: 'Your password is changed', description: 'All other devices are signed out.', at: '/account' });
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
      title="Change your password"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep the present one
          </Button>
          <Button type="submit" form={formId} pending={changing.isPending}>
            {changing.isPending ? 'Changing…' : 'Change it'}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} aria-label="Change your password" className="grid gap-5">
        <TextField
          {...form.bind('password')}
          label="Present password"
          as={PasswordInput}
          autoComplete="current-password"
        />
        <TextField
          {...form.bind('newPassword')}
          label="New password"
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
