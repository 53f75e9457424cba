import type { RegisterBody } from '@beltway/contracts/identity/credentials';
import { useMutation } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalogue.ts';
import { fieldErrorsOf, type Messages } from '../../lib/forms/form.ts';
import { explain, HttpError, inWords } from '../../lib/http/http.ts';
import { returnPath } from '../../lib/navigation/return-path.ts';
import { login, loginByCode, register } from '../../lib/session/session.ts';
import { toast } from '../../ui/toast.ts';
import { texts } from './texts.ts';

/** Shows the welcome on the page that signing in leads to. */
export function welcome(title: string): void {
  const next = returnPath(new URLSearchParams(window.location.search));
  toast({ title, at: new URL(next, window.location.origin).pathname });
}

export const useLogin = () =>
  useMutation({
    mutationFn: login,
    onSuccess: (said) => 'token' in said && welcome(textsNow(texts)('welcomeBack')),
    onError: (error) => sayRefused(error, 401, textsNow(texts)('loginFailed'), textsNow(texts)('wrongCredentials')),
  });

/** The second step. `onOver`: the challenge is over, and signing in begins again. */
export const useLoginByCode = (onOver: () => void) =>
  useMutation({
    mutationFn: loginByCode,
    onSuccess: () => welcome(textsNow(texts)('welcomeBack')),
    onError: (error) => {
      if (error instanceof HttpError && error.problem?.code === 'challenge-invalid') onOver();
      else sayRefused(error, 401, textsNow(texts)('loginFailed'), textsNow(texts)('wrongCredentials'));
    },
  });

export const useRegister = () =>
  useMutation({
    mutationFn: register,
    onSuccess: () => welcome(textsNow(texts)('welcome')),
    onError: (error) => sayRefused(error, 409, textsNow(texts)('registerFailed'), textsNow(texts)('emailTaken')),
  });

/** Shows a refusal: for this status the text of docs/product.md#accounts, else the error's own. */
function sayRefused(error: Error, status: number, title: string, description: string): void {
  const isHttp = error instanceof HttpError;
  // These are shown in the form.
  if (isHttp && (error.status === 429 || error.problem?.errors)) return;
  const words = isHttp && error.status === status ? description : explain(error);
  toast({ title, description: words, variant: 'destructive' });
}

/** The messages for the form's fields. */
export function errorsOf(error: unknown): Messages<RegisterBody> {
  const t = textsNow(texts);
  const status = error instanceof HttpError && error.status;
  if (status === 401) return { password: t('checkBoth') };
  if (status === 409) return { email: t('haveAccount') };
  return fieldErrorsOf(error);
}

/** The text for a 429, with the time to wait; null for any other error. */
export function throttleMessage(error: unknown): string | null {
  if (!(error instanceof HttpError) || error.status !== 429) return null;
  return textsNow(texts)('throttled', { when: inWords(error.retryAfter) });
}
