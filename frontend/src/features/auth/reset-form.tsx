import { useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { forgetSession } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { useResetPassword } from './account-api.ts';
import { throttleMessage } from './api.ts';
import { Notice } from './notice.tsx';
import { LoginSchema } from './schemas.ts';
import { StrengthMeter } from './strength-meter.tsx';

const Schema = z.object({ password: LoginSchema.shape.password });

interface ResetFormProps {
  token: string;
  /** The link was used. */
  onUsed: () => void;
}

/** Another password, by a mailed link. */
export function ResetForm({ token, onUsed }: ResetFormProps) {
  const navigate = useNavigate();
  const resetting = useResetPassword(() => {
    onUsed();
    toast({
      title: 'Your password is changed',
      description: 'Sign in with it. All devices are signed out.',
      at: '/auth',
    });
    void navigate('/auth', { replace: true });
    // Whoever was signed in here was signed out with all others.
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
    <form {...form.props} aria-label="Choose another password" className="grid gap-5">
      <TextField
        {...form.bind('password')}
        label="New password"
        as={PasswordInput}
        autoComplete="new-password"
        hint={<StrengthMeter password={form.values.password} />}
      />
      {failure && <Notice>{failure}</Notice>}
      <Button type="submit" pending={resetting.isPending}>
        {resetting.isPending ? 'Changing…' : 'Change my password'}
      </Button>
      {failure && (
        <ButtonLink variant="secondary" to="/forgot-password">
          Ask for another link
        </ButtonLink>
      )}
    </form>
  );
}
