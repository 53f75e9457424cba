import { EraseAccountBody } from '@beltway/contracts/identity/people';
import { useId } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalogue.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { useDeleteAccount } from './api.ts';
import { texts } from './texts.ts';

// The server's own check, with a message of its own for an empty field.
const schema = (empty: string) =>
  z.object({ password: z.string().min(1, empty).pipe(EraseAccountBody.shape.password) });

/** What stands in the form, at its field. */
const isAtField = (error: unknown): boolean => error instanceof HttpError && Boolean(error.problem?.errors);

/** Says what is deleted and what stays, and asks for the password. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const formId = useId();
  const erasing = useDeleteAccount();
  const { error } = erasing;
  const form = useFields({
    schema: schema(t('enterPassword')),
    initial: { password: '' },
    onSubmit: (body) => erasing.mutate(body),
    error,
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('deleteQuestion')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('keep')}
          </Button>
          <Button variant="danger" type="submit" form={formId} pending={erasing.isPending}>
            {t(erasing.isPending ? 'deleting' : 'deleteMine')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ul className="grid list-disc gap-2 pl-5">
          <li>{t('signedOut')}</li>
          <li>{t('isDeleted')}</li>
          <li>{t.rich('ticketsStay', { strong: (words) => <strong className="font-strong">{words}</strong> })}</li>
          <li>{t('eventsGo')}</li>
          <li>{t('paymentsStay')}</li>
        </ul>
        <form {...form.props} id={formId} aria-label={t('deleteYours')}>
          <TextField
            {...form.bind('password')}
            label={t('password')}
            as={PasswordInput}
            autoComplete="current-password"
          />
        </form>
        {error && !isAtField(error) && (
          <p role="alert" className="text-danger-ink">
            {explain(error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
