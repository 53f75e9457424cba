import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { throttleMessage } from './api.ts';
import { useRequestReset } from './account-api.ts';
import { texts } from './links.texts.en.ts';
import { Notice } from './notice.tsx';
import { LoginSchema } from './schemas.ts';

const Schema = z.object({ email: LoginSchema.shape.email });

/** Requests the mail with the link. The confirmation is the same for every email address. */
export function ForgotForm() {
  const t = useTexts(texts);
  const asking = useRequestReset();
  const { error, isSuccess, variables } = asking;
  const form = useFields({ schema: Schema, initial: { email: '' }, onSubmit: (body) => asking.mutate(body), error });
  const failure = form.failure && (throttleMessage(form.failure) ?? explain(form.failure));
  if (isSuccess)
    return (
      <div className="grid justify-items-start gap-4">
        <p role="status">
          {t.rich('onItsWay', {
            email: () => <bdi className="font-strong wrap-anywhere">{variables.email}</bdi>,
          })}
        </p>
        <p className="text-ink-soft">{t('nothingCame')}</p>
        <Button variant="secondary" onClick={() => asking.reset()}>
          {t('anotherAddress')}
        </Button>
      </div>
    );
  return (
    <form {...form.props} aria-label={t('forgot')} className="grid gap-5">
      <TextField {...form.bind('email')} label={t('email')} type="email" autoComplete="username" inputMode="email" />
      {failure && <Notice>{failure}</Notice>}
      <Button type="submit" pending={asking.isPending}>
        {t(asking.isPending ? 'sending' : 'sendLink')}
      </Button>
      <ButtonLink variant="quiet" to="/auth">
        {t('backToSignIn')}
      </ButtonLink>
    </form>
  );
}
