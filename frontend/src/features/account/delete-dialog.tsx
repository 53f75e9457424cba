import { EraseAccountBody } from '@beltway/contracts/people';
import { useId } from 'react';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain, HttpError } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { useDeleteAccount } from './api.ts';

// The server's own check, with a message of its own for an empty field.
const Schema = z.object({
  password: z.string().min(1, 'Please enter your password').pipe(EraseAccountBody.shape.password),
});

/** What stands in the form, at its field. */
const isAtField = (error: unknown): boolean => error instanceof HttpError && Boolean(error.problem?.errors);

/** Says what is deleted and what stays, and asks for the password. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const erasing = useDeleteAccount();
  const { error } = erasing;
  const form = useFields({
    schema: Schema,
    initial: { password: '' },
    onSubmit: (body) => erasing.mutate(body),
    error,
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete your account?"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep my account
          </Button>
          <Button variant="danger" type="submit" form={formId} pending={erasing.isPending}>
            {erasing.isPending ? 'Deleting…' : 'Delete my account'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ul className="grid list-disc gap-2 pl-5">
          <li>You are signed out everywhere at once. This cannot be undone.</li>
          <li>
            Your name, your email address, your pictures and comments, and what you liked, saved, searched for and
            followed are deleted.
          </li>
          <li>
            <strong className="font-strong">Tickets stay valid, but leave My Tickets.</strong> Keep their PDF or the
            link in your mail. We can no longer write to you, also not when an event changes or is cancelled; a refund
            goes back to the card.
          </li>
          <li>Events of yours that are still to come are cancelled. Ads run to their end.</li>
          <li>Records of payments stay, without your name.</li>
        </ul>
        <form {...form.props} id={formId} aria-label="Delete your account">
          <TextField
            {...form.bind('password')}
            label="Your password"
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
