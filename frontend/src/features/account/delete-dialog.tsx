import { EraseAccountBody } from '@beltway/contracts/identity/people';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { useDeleteAccount } from './api.ts';
import { texts } from './texts.en.ts';

// The server's schema, with a separate error message for an empty field.
const schema = (empty: string) =>
  z.object({ password: z.string().min(1, empty).pipe(EraseAccountBody.shape.password) });

/** Lists which data is deleted and which data is kept, and asks for the password. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const erasing = useDeleteAccount();
  const form = useFields({
    schema: schema(t('enterPassword')),
    initial: { password: '' },
    onSubmit: (body) => erasing.mutate(body),
    error: erasing.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('deleteQuestion')}
      label={t('deleteYours')}
      action={t('deleteMine')}
      acting={t('deleting')}
      variant="danger"
      pending={erasing.isPending}
      keep={t('keep')}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5">
        <li>{t('signedOut')}</li>
        <li>{t('isDeleted')}</li>
        <li>{t.rich('ticketsStay', { strong: (words) => <strong className="font-strong">{words}</strong> })}</li>
        <li>{t('eventsGo')}</li>
        <li>{t('paymentsStay')}</li>
      </ul>
      <TextField {...form.bind('password')} label={t('password')} as={PasswordInput} autoComplete="current-password" />
    </FormDialog>
  );
}
