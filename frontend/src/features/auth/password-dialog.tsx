import type { PasswordBody } from '@beltway/contracts/identity/credentials';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFields } from '../../lib/forms/form.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { texts } from './account.texts.en.ts';
import { LoginSchema } from './schemas.ts';

const Schema = LoginSchema.pick({ password: true });

/** Asks for the account's password, so that no one else at this device can perform the action. */
export function PasswordDialog({
  mutation,
  ...dialog
}: {
  title: string;
  description?: ReactNode;
  action: string;
  acting: string;
  keep: string;
  mutation: UseMutationResult<unknown, Error, PasswordBody>;
  onClose: () => void;
}) {
  const t = useTexts(texts);
  const form = useFields({
    schema: Schema,
    initial: { password: '' },
    onSubmit: (body) => mutation.mutate(body),
    error: mutation.error,
  });
  return (
    <FormDialog {...dialog} form={form} variant="danger" pending={mutation.isPending}>
      <TextField
        {...form.bind('password')}
        label={t('yourPassword')}
        as={PasswordInput}
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
