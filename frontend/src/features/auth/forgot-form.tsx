import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { throttleMessage } from './api.ts';
import { useRequestReset } from './account-api.ts';
import { Notice } from './notice.tsx';
import { LoginSchema } from './schemas.ts';

const Schema = z.object({ email: LoginSchema.shape.email });

/** Asks for the mail with the link. What is said afterwards is the same for every address. */
export function ForgotForm() {
  const asking = useRequestReset();
  const { error, isSuccess, variables } = asking;
  const form = useFields({ schema: Schema, initial: { email: '' }, onSubmit: (body) => asking.mutate(body), error });
  const failure = form.failure && (throttleMessage(form.failure) ?? explain(form.failure));
  if (isSuccess)
    return (
      <div className="grid justify-items-start gap-4">
        <p role="status">
          If there is an account with the address <bdi className="font-strong break-words">{variables.email}</bdi>, a
          mail with a link is on its way. The link is good for 30 minutes and works once.
        </p>
        <p className="text-ink-soft">
          Nothing came? Look into the spam folder, and whether the address is right. Three mails an hour are sent.
        </p>
        <Button variant="secondary" onClick={() => asking.reset()}>
          Try another address
        </Button>
      </div>
    );
  return (
    <form {...form.props} aria-label="Forgot your password" className="grid gap-5">
      <TextField {...form.bind('email')} label="Email" type="email" autoComplete="username" inputMode="email" />
      {failure && <Notice>{failure}</Notice>}
      <Button type="submit" pending={asking.isPending}>
        {asking.isPending ? 'Sending…' : 'Send me a link'}
      </Button>
      <ButtonLink variant="quiet" to="/auth">
        Back to sign in
      </ButtonLink>
    </form>
  );
}
