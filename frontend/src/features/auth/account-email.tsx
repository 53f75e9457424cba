import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { emailQuery, useChangeEmail, useSendVerification } from './account-api.ts';
import { LoginSchema } from './schemas.ts';

/** Whether the account's address is verified, and which is to take its place. */
export function AccountEmail() {
  const found = useQuery(emailQuery());
  const { data: state, error } = found;
  const sending = useSendVerification();
  const [isChanging, setChanging] = useState(false);
  return (
    <section
      aria-labelledby="account-email-title"
      className="grid justify-items-start gap-3 rounded-lg border border-line p-5"
    >
      <h3 id="account-email-title" className="font-strong">
        Email address
      </h3>
      {state ? (
        <>
          <Badge tone={state.isVerified ? 'success' : 'warning'}>
            {state.isVerified ? 'Confirmed' : 'Not confirmed'}
          </Badge>
          {state.pending && (
            <p className="text-ink-soft">
              It becomes <bdi className="font-strong break-words">{state.pending}</bdi> when you open the link that we
              sent there. Until then you sign in with the present one.
            </p>
          )}
          {!state.isVerified && !state.pending && (
            <p className="text-ink-soft">
              Open the link that we sent there while you are signed in. Tickets that you bought with this address as a
              guest are then saved to your account.
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {!state.isVerified && (
              <Button variant="secondary" pending={sending.isPending} onClick={() => sending.mutate()}>
                {sending.isPending ? 'Sending…' : 'Send the link again'}
              </Button>
            )}
            <Button variant="secondary" aria-haspopup="dialog" onClick={() => setChanging(true)}>
              Change my address
            </Button>
          </div>
          <p role="status" className={sending.isSuccess ? '' : 'sr-only'}>
            {sending.isSuccess && 'The link is on its way.'}
          </p>
          {sending.isError && (
            <p role="alert" className="text-danger-ink">
              {explain(sending.error)}
            </p>
          )}
        </>
      ) : error ? (
        <ErrorState
          heading="h3"
          title="Your address could not be loaded"
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="Your address is loading" className="w-full">
          <Skeleton className="h-28 rounded-lg" />
        </Loading>
      )}
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </section>
  );
}

const Schema = z.object({ email: LoginSchema.shape.email, password: LoginSchema.shape.password });

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const changing = useChangeEmail(() => {
    onClose();
    toast({
      title: 'Look into your new mailbox',
      description: 'The address changes when you open the link there.',
      at: '/account',
    });
  });
  const form = useFields({
    schema: Schema,
    initial: { email: '', password: '' },
    onSubmit: (body) => changing.mutate(body),
    error: changing.error,
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Change your email address"
      description="We send a link to the new address, and tell the present one."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep the present one
          </Button>
          <Button type="submit" form={formId} pending={changing.isPending}>
            {changing.isPending ? 'Sending…' : 'Send the link'}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} aria-label="Change your email address" className="grid gap-5">
        <TextField {...form.bind('email')} label="New email" type="email" autoComplete="email" inputMode="email" />
        <TextField
          {...form.bind('password')}
          label="Your password"
          as={PasswordInput}
          autoComplete="current-password"
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
