import { useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { forgetSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { useResetPassword } from './account-api.ts';
import { throttleMessage } from './api.ts';
import { texts } from './links.texts.en.ts';
import { Notice } from './notice.tsx';
import { LoginSchema } from './schemas.ts';
import { StrengthMeter } from './strength-meter.tsx';

const Schema = z.object({ password: LoginSchema.shape.password });

interface ResetFormProps {
  token: string;
  /** Called when the link has been used. */
  onUsed: () => void;
}

/** Sets a new password with the token from a mailed link. */
export function ResetForm({ token, onUsed }: ResetFormProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const resetting = useResetPassword(() => {
    onUsed();
    toast({
      title: t('changed'),
      description: t('changedWhy'),
      at: '/auth',
    });
    void navigate('/auth', { replace: true });
    // Resetting the password ends all sessions, including this browser's.
    forgetSession();
  });
  const { error } = resetting;
  const form = useFields({
    schema: Schema,
    initial: { password: '' },
    onSubmit: ({ password }) => resetting.mutate({ token, password }),
    error,
  });
  const failure = form.failure && (throttleMessage(form.failure) ?? explain(form.failure));
  return (
    <form {...form.props} aria-label={t('choose')} className="grid gap-5">
      <TextField
        {...form.bind('password')}
        label={t('newPassword')}
        as={PasswordInput}
        autoComplete="new-password"
        hint={<StrengthMeter password={form.values.password} />}
      />
      {failure && <Notice>{failure}</Notice>}
      <Button type="submit" pending={resetting.isPending}>
        {t(resetting.isPending ? 'changing' : 'change')}
      </Button>
      {failure && (
        <ButtonLink variant="secondary" to="/forgot-password">
          {t('anotherLink')}
        </ButtonLink>
      )}
    </form>
  );
}
