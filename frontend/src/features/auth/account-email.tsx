import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { emailQuery, useChangeEmail, useSendVerification } from './account-api.ts';
import { texts } from './account.texts.en.ts';
import { LoginSchema } from './schemas.ts';

/** Whether the account's email address is verified, and the pending new email address. */
export function AccountEmail() {
  const t = useTexts(texts);
  const found = useQuery(emailQuery());
  const { data: state, error } = found;
  const sending = useSendVerification();
  const [isChanging, setChanging] = useState(false);
  return (
    <Card ground="none" aria-labelledby="account-email-title" className="justify-items-start gap-3">
      <h3 id="account-email-title" className="font-strong">
        {t('emailTitle')}
      </h3>
      {state ? (
        <>
          <Badge tone={state.isVerified ? 'success' : 'warning'}>
            {state.isVerified ? t('confirmed') : t('notConfirmed')}
          </Badge>
          {state.pending && (
            <p className="text-ink-soft">
              {t.rich('becomes', { email: () => <bdi className="font-strong wrap-anywhere">{state.pending}</bdi> })}
            </p>
          )}
          {!state.isVerified && !state.pending && <p className="text-ink-soft">{t('openLink')}</p>}
          <div className="flex flex-wrap gap-3">
            {!state.isVerified && (
              <Button variant="secondary" pending={sending.isPending} onClick={() => sending.mutate()}>
                {sending.isPending ? t('sending') : t('sendAgain')}
              </Button>
            )}
            <Button variant="secondary" aria-haspopup="dialog" onClick={() => setChanging(true)}>
              {t('changeAddress')}
            </Button>
          </div>
          <p role="status" className={sending.isSuccess ? '' : 'sr-only'}>
            {sending.isSuccess && t('onItsWay')}
          </p>
          <Failure of={sending.error} />
        </>
      ) : error ? (
        <ErrorState
          heading="h3"
          title={t('addressFailed')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('addressLoading')} className="w-full">
          <Skeleton className="h-28 rounded-lg" />
        </Loading>
      )}
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </Card>
  );
}

const Schema = z.object({ email: LoginSchema.shape.email, password: LoginSchema.shape.password });

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const changing = useChangeEmail(onClose);
  const form = useFields({
    schema: Schema,
    initial: { email: '', password: '' },
    onSubmit: (body) => changing.mutate(body),
    error: changing.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('changeEmail')}
      description={t('changeEmailWhy')}
      action={t('sendLink')}
      acting={t('sending')}
      pending={changing.isPending}
      keep={t('keepAddress')}
      onClose={onClose}
    >
      <TextField {...form.bind('email')} label={t('newEmail')} type="email" autoComplete="email" inputMode="email" />
      <TextField
        {...form.bind('password')}
        label={t('yourPassword')}
        as={PasswordInput}
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
